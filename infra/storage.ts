import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';

/** Old versions of an object are kept so long: time to notice that somebody removed or overwrote a head. */
const OLD_VERSIONS = Duration.days(30);
const ACCESS_LOGS = Duration.days(90);
const QUERY_RESULTS = Duration.days(30);
/** The commit removes raw answers itself; S3 does it where no commit has come for so many days more. */
const RAW_MARGIN_DAYS = 7;

/** The lake and what goes with it. Buckets stay when the stack is destroyed. */
export class Storage extends Construct {
  readonly lake: Bucket;
  readonly results: Bucket;
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.key = config.kmsKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'Key', config.kmsKeyArn);
    const kept: BucketProps = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    };
    const encrypted: BucketProps =
      this.key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: this.key, bucketKeyEnabled: true };
    const unfinished = { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) };

    // S3 delivers access logs to SSE-S3 buckets alone where the key is a customer's.
    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...kept,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [unfinished, { id: 'old-logs', expiration: ACCESS_LOGS }],
    });
    this.lake = new Bucket(this, 'Lake', {
      ...kept,
      ...encrypted,
      versioned: true,
      serverAccessLogsBucket: accessLogs as IBucket,
      serverAccessLogsPrefix: 'lake/',
      lifecycleRules: [
        unfinished,
        { id: 'old-versions', noncurrentVersionExpiration: OLD_VERSIONS, expiredObjectDeleteMarker: true },
        {
          id: 'raw',
          prefix: 'raw/',
          expiration: Duration.days(config.rawRetentionDays + RAW_MARGIN_DAYS),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
    // QuickSight's console opens whole buckets to its own role; what is not a table stays shut to it all the same.
    this.lake.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NoRawAnswersInQuickSight',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject'],
        resources: [this.lake.arnForObjects('raw/*'), this.lake.arnForObjects('state/*')],
        conditions: {
          ArnLike: {
            'aws:PrincipalArn': `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/service-role/aws-quicksight-*`,
          },
        },
      }),
    );
    this.results = new Bucket(this, 'Results', {
      ...kept,
      ...encrypted,
      serverAccessLogsBucket: accessLogs as IBucket,
      serverAccessLogsPrefix: 'results/',
      lifecycleRules: [unfinished, { id: 'old-results', expiration: QUERY_RESULTS }],
    });
  }
}
