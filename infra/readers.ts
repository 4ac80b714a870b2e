import { Stack } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { allow, allowKey, CATALOG_KEY_ACTIONS } from './allow.ts';
import { readersName } from './readers-name.ts';
import type { Storage } from './storage.ts';
import { addWorkgroup } from './workgroup.ts';

export interface ReadersProps {
  readonly config: Config;
  readonly storage: Storage;
  /** One of the config's `readers`; undefined = readers without group. */
  readonly group?: string;
}

export interface Readers {
  readonly workgroup: CfnWorkGroup;
  readonly policy: ManagedPolicy;
  /** s3://bucket/prefix/ */
  readonly results: string;
}

/**
 * Adds a workgroup with its own folder for results, and a managed policy for BI tools' roles and users. The policy
 * opens the tables and its own results, but no raw answers and no state. Other groups' results stay shut.
 */
export function addReaders(scope: Construct, { config, storage, group }: ReadersProps): Readers {
  const suffix = group === undefined ? '' : `-${group}`;
  const name = readersName(config, group);
  const { workgroup, results } = addWorkgroup(scope, `Workgroup${suffix}`, { name, storage });
  const policy = new ManagedPolicy(scope, `Readers${suffix}`, {
    managedPolicyName: `${name}-readers-${Stack.of(scope).region}`,
    // Never change it: AWS then makes a new policy, which cannot have the name of the old one.
    description: 'Queries the tables of signage-export in its workgroup; sees neither raw answers nor state',
  });
  allowAthena(policy, name);
  allowGlue(policy, config);
  allowS3(policy, name, storage);
  allowKey(policy, { keyArn: storage.key?.keyArn, service: 's3' });
  allowKey(policy, { keyArn: config.catalogKmsKeyArn, service: 'glue', actions: CATALOG_KEY_ACTIONS });
  return { workgroup, policy, results };
}

function allowAthena(policy: ManagedPolicy, name: string): void {
  const { partition, region, account } = Stack.of(policy);
  const athena = `arn:${partition}:athena:${region}:${account}`;
  allow(policy, {
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
    resources: [`${athena}:workgroup/${name}`],
  });
  allow(policy, {
    actions: [
      'athena:GetDataCatalog',
      'athena:ListDatabases',
      'athena:GetDatabase',
      'athena:ListTableMetadata',
      'athena:GetTableMetadata',
    ],
    resources: [`${athena}:datacatalog/AwsDataCatalog`],
  });
  allow(policy, {
    actions: ['athena:ListDataCatalogs', 'athena:ListWorkGroups', 'athena:ListEngineVersions'],
    resources: ['*'],
    because: 'Drivers list names when they connect; Athena has no resources for these actions.',
  });
}

function allowGlue(policy: ManagedPolicy, { name }: Config): void {
  const { partition, region, account } = Stack.of(policy);
  const glue = `arn:${partition}:glue:${region}:${account}`;
  allow(policy, {
    actions: [
      'glue:GetCatalog',
      'glue:GetCatalogs',
      'glue:GetDatabase',
      'glue:GetDatabases',
      'glue:GetTable',
      'glue:GetTables',
      'glue:GetPartition',
      'glue:GetPartitions',
      'glue:BatchGetPartition',
    ],
    // Drivers always want the database `default` when they connect.
    resources: [
      `${glue}:catalog`,
      `${glue}:database/${name}`,
      `${glue}:database/default`,
      `${glue}:table/${name}/*`,
    ],
    because: 'Readers read every table of this database.',
  });
}

function allowS3(policy: ManagedPolicy, name: string, { lake, results }: Storage): void {
  // This applies whatever else opens the bucket, such as a policy for all of S3. Operators must not have it.
  policy.addStatements(
    new PolicyStatement({
      sid: 'TablesAlone',
      effect: Effect.DENY,
      actions: ['s3:GetObject', 's3:GetObjectVersion'],
      resources: [lake.arnForObjects('raw/*'), lake.arnForObjects('state*')],
    }),
  );
  allow(policy, {
    actions: ['s3:GetObject'],
    resources: [lake.arnForObjects('tables/*')],
    because: 'Readers read every file of the tables.',
  });
  allow(policy, {
    actions: ['s3:ListBucket'],
    resources: [lake.bucketArn],
    conditions: { StringLike: { 's3:prefix': ['tables/*'] } },
  });
  allow(policy, {
    actions: ['s3:GetBucketLocation'],
    resources: [lake.bucketArn, results.bucketArn],
  });
  allow(policy, {
    actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
    resources: [results.arnForObjects(`${name}/*`)],
    because: 'Athena chooses the names of result files; nothing else is in this folder.',
  });
  allow(policy, {
    actions: ['s3:GetObject'],
    resources: [results.arnForObjects(`${PAGES}*`)],
    because: 'The newest page, and one of each date.',
  });
  allow(policy, {
    actions: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
    resources: [results.bucketArn],
  });
}
