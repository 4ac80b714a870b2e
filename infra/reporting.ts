import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey } from './allow.ts';
import type { StageFunction } from './stage-function.ts';
import type { Storage } from './storage.ts';

/** A query that would read more is stopped: 0.05 USD; a daily table of 100,000 players is 10 MB a day. */
const SCAN_CUTOFF_BYTES = 10 * 1024 ** 3;

const QUERIES = fileURLToPath(new URL('../queries', import.meta.url));

export interface ReportingProps {
  readonly config: Config;
  readonly storage: Storage;
}

/** What Athena and BI tools work with. Tables and their columns are the commit's, not CloudFormation's. */
export class Reporting extends Construct {
  readonly database: string;
  readonly workgroup: string;
  private readonly storage: Storage;
  private readonly catalogKey: string | undefined;

  constructor(scope: Construct, id: string, { config, storage }: ReportingProps) {
    super(scope, id);
    this.storage = storage;
    this.catalogKey = config.catalogKmsKeyArn;
    this.database = config.name;
    this.workgroup = config.name;
    const database = new CfnDatabase(this, 'Database', {
      catalogId: Stack.of(this).account,
      databaseInput: { name: this.database, description: 'Tables of signage-export; the commits keep them' },
    });
    database.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    const workgroup = new CfnWorkGroup(this, 'Workgroup', {
      name: this.workgroup,
      description: 'Queries of signage-export',
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: SCAN_CUTOFF_BYTES,
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: `s3://${storage.results.bucketName}/`,
          encryptionConfiguration:
            storage.key === undefined
              ? { encryptionOption: 'SSE_S3' }
              : { encryptionOption: 'SSE_KMS', kmsKey: storage.key.keyArn },
        },
      },
    });
    for (const { name, sql } of namedQueries()) {
      const query = new CfnNamedQuery(this, `Query-${name}`, {
        name,
        database: this.database,
        workGroup: this.workgroup,
        queryString: sql,
      });
      query.addResourceDependency(workgroup);
    }
    this.addReaders(config);
  }

  /** Lets a stage write the tables of this database. */
  grantCatalog(stage: StageFunction): void {
    allow(stage.role, {
      actions: [
        'glue:GetTables',
        'glue:CreateTable',
        'glue:UpdateTable',
        'glue:BatchDeleteTable',
        'glue:DeleteTable',
        'glue:GetPartitions',
        'glue:BatchCreatePartition',
        'glue:BatchUpdatePartition',
        'glue:UpdatePartition',
        'glue:BatchDeletePartition',
      ],
      resources: this.glueArns(),
      because: 'The tables of its own database: which there are is decided by runs.',
    });
    allowKey(stage.role, { keyArn: this.catalogKey, service: 'glue' });
  }

  private glueArns(): string[] {
    const { partition, region, account } = Stack.of(this);
    const glue = `arn:${partition}:glue:${region}:${account}`;
    return [`${glue}:catalog`, `${glue}:database/${this.database}`, `${glue}:table/${this.database}/*`];
  }

  /** For the roles and users of BI tools: tables and results, neither raw answers nor state. */
  private addReaders(config: Config): void {
    const { partition, region, account } = Stack.of(this);
    const { lake, results, key } = this.storage;
    const readers = new ManagedPolicy(this, 'Readers', {
      managedPolicyName: `${config.name}-readers-${region}`,
      description:
        'Queries the tables of signage-export in its workgroup; sees neither raw answers nor state',
    });
    allow(readers, {
      actions: [
        'athena:GetWorkGroup',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:GetQueryResultsStream',
        'athena:BatchGetQueryExecution',
        'athena:ListQueryExecutions',
        'athena:ListNamedQueries',
        'athena:GetNamedQuery',
        'athena:BatchGetNamedQuery',
      ],
      resources: [`arn:${partition}:athena:${region}:${account}:workgroup/${this.workgroup}`],
    });
    allow(readers, {
      actions: [
        'glue:GetDatabase',
        'glue:GetDatabases',
        'glue:GetTable',
        'glue:GetTables',
        'glue:GetPartition',
        'glue:GetPartitions',
        'glue:BatchGetPartition',
      ],
      resources: this.glueArns(),
      because: 'Readers read every table of this database.',
    });
    allow(readers, {
      actions: ['s3:GetObject'],
      resources: [lake.arnForObjects('tables/*')],
      because: 'Readers read every file of the tables.',
    });
    allow(readers, {
      actions: ['s3:ListBucket'],
      resources: [lake.bucketArn],
      conditions: { StringLike: { 's3:prefix': ['tables/*'] } },
    });
    allow(readers, { actions: ['s3:GetBucketLocation'], resources: [lake.bucketArn, results.bucketArn] });
    allow(readers, {
      actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
      resources: [results.arnForObjects('*')],
      because: 'Athena names the files of results; the bucket holds nothing else.',
    });
    allow(readers, {
      actions: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
      resources: [results.bucketArn],
    });
    allowKey(readers, { keyArn: key?.keyArn, service: 's3' });
    allowKey(readers, { keyArn: config.catalogKmsKeyArn, service: 'glue', actions: ['kms:Decrypt'] });
  }
}

interface NamedQuery {
  readonly name: string;
  readonly sql: string;
}

/** A first query for every view of queries/, and one for the runs; the views themselves are the catalog's. */
function namedQueries(): readonly NamedQuery[] {
  const views = readdirSync(QUERIES)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace(/\.sql$/, ''))
    .sort();
  return [
    {
      name: 'runs-newest',
      sql: 'select * from runs order by export_date desc, started_at desc limit 50',
    },
    ...views.map((name) => ({ name, sql: `select * from ${name} limit 1000` })),
  ];
}
