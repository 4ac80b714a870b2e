import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { BucketProps, IBucket } from 'aws-cdk-lib/aws-s3';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { PAGES } from '../lib/report/page-files.ts';

/** How long old versions of an object stay: time to notice that somebody removed or overwrote a head. */
const OLD_VERSIONS = Duration.days(30);
/** How long a version stays if nobody overwrites the object and only the program removes it. */
const GONE_FOR_GOOD = Duration.days(1);
const ACCESS_LOGS = Duration.days(90);
const QUERY_RESULTS = Duration.days(30);
/** The page of a date, 0.5 MB; the newest one stays. */
const PAGES_OF_DATES = Duration.days(400);
/** A commit removes raw answers itself. Without a commit, S3 removes them so many days later. */
const RAW_MARGIN_DAYS = 7;

/**
 * The name of a workgroup, and of its folder of results: `signage`, and `signage.finance` for a group of
 * readers. No installation's name has a dot, so it never equals an installation `signage-finance`.
 */
export function workgroupName({ name }: Pick<Config, 'name'>, group?: string): string {
  return group === undefined ? name : `${name}.${group}`;
}

/** The group of operators. No reader sees their results: no group of readers has `_` in its name. */
export const OPERATORS = '_ops';

interface StorageProps {
  readonly config: Config;
  /** The name of a bucket that already has a lake. It keeps its settings. @default a new bucket */
  readonly existingLake: string | undefined;
}

export type Storage = ReturnType<typeof addStorage>;

/** Adds the buckets of the lake, of query results and of access logs. They stay when the stack is destroyed. */
export function addStorage(scope: Construct, { config, existingLake }: StorageProps) {
  const key = config.kmsKeyArn === undefined ? undefined : Key.fromKeyArn(scope, 'Key', config.kmsKeyArn);
  const kept: BucketProps = {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  };
  const encrypted: BucketProps = key
    ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED };
  const unfinished = { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) };

  // S3 delivers no access logs to a bucket with a customer's key, so this one has S3's own.
  const accessLogs = new Bucket(scope, 'AccessLogs', {
    ...kept,
    encryption: BucketEncryption.S3_MANAGED,
    lifecycleRules: [unfinished, { id: 'old-logs', expiration: ACCESS_LOGS }],
  });
  const logged = (folder: string): BucketProps => ({
    ...{ ...kept, ...encrypted },
    serverAccessLogsBucket: accessLogs as IBucket,
    serverAccessLogsPrefix: `${folder}/`,
  });
  const lake =
    existingLake === undefined
      ? newLake(scope, config, { ...logged('lake'), lifecycleRules: [unfinished] })
      : Bucket.fromBucketAttributes(scope, 'Lake', {
          bucketName: existingLake,
          ...(key && { encryptionKey: key }),
        });
  const groups = [undefined, ...(config.readers ?? []), OPERATORS];
  const results = new Bucket(scope, 'Results', {
    ...logged('results'),
    lifecycleRules: [
      unfinished,
      ...groups.map((group) => ({
        id: group === undefined ? 'old-results' : `old-results-${group}`,
        prefix: `${workgroupName(config, group)}/`,
        expiration: QUERY_RESULTS,
      })),
      { id: 'old-pages', prefix: `${PAGES}report-`, expiration: PAGES_OF_DATES },
    ],
  });
  return { lake, results, key };
}

function newLake(scope: Construct, config: Config, props: BucketProps): IBucket {
  const lake = new Bucket(scope, 'Lake', {
    ...props,
    versioned: true,
    lifecycleRules: [
      ...(props.lifecycleRules ?? []),
      { id: 'old-versions', noncurrentVersionExpiration: OLD_VERSIONS, expiredObjectDeleteMarker: true },
      {
        id: 'raw',
        prefix: 'raw/',
        expiration: Duration.days(config.rawRetentionDays + RAW_MARGIN_DAYS),
        noncurrentVersionExpiration: GONE_FOR_GOOD,
      },
      // What purge and hiding removed is also gone a day later. The first rule keeps the head itself.
      ...['tables/', 'state/runs/', 'state/parents/', 'state/figures/', 'state-copy/'].map((prefix) => ({
        id: `removed-${prefix.replaceAll('/', '-').slice(0, -1)}`,
        prefix,
        noncurrentVersionExpiration: GONE_FOR_GOOD,
      })),
    ],
  });
  const quickSight = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/service-role/aws-quicksight-*`;
  // QuickSight's console opens whole buckets to its role; this keeps all but the tables shut.
  lake.addToResourcePolicy(
    new PolicyStatement({
      sid: 'NoRawAnswersInQuickSight',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['s3:GetObject', 's3:GetObjectVersion'],
      resources: [lake.arnForObjects('raw/*'), lake.arnForObjects('state*')],
      conditions: { ArnLike: { 'aws:PrincipalArn': quickSight } },
    }),
  );
  return lake as IBucket;
}
