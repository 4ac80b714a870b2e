import { Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { RowFilter } from '../lib/config/deployment-shape.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { type Allowance, allow, allowKey, arnHere } from './allow.ts';
import { readersName, type Storage } from './storage.ts';

export interface Queried {
  readonly config: Config;
  readonly storage: Storage;
}

/** The row filters of a config; their groups get rows from Lake Formation, and from S3 no file of the lake. */
export function rowFiltersOf({ lakeFormation }: Config): readonly RowFilter[] {
  return lakeFormation?.rowFilters ?? [];
}

/**
 * Adds a workgroup with its own folder for results, and a managed policy for BI tools' roles and users. The policy
 * opens the tables and its own results, but no raw answers and no state. Other groups' results stay shut.
 */
export function addReaders(scope: Construct, { config, storage }: Queried, group?: string) {
  const suffix = group === undefined ? '' : `-${group}`;
  const name = readersName(config, group);
  const { workgroup, results } = addWorkgroup(scope, `Workgroup${suffix}`, { name, config, storage });
  const policy = new ManagedPolicy(scope, `Readers${suffix}`, {
    managedPolicyName: `${name}-readers-${Stack.of(scope).region}`,
    // Never change it: AWS then makes a new policy, which cannot have the name of the old one.
    description: 'Queries the tables of signage-export in its workgroup; sees neither raw answers nor state',
  });
  const isFiltered = rowFiltersOf(config).some((each) => each.group === group);
  const { lake, results: files } = storage;
  policy.addStatements(
    // This applies whatever else opens the bucket, such as a policy for all of S3. Operators must not have it.
    new PolicyStatement({
      sid: 'TablesAlone',
      effect: Effect.DENY,
      actions: ['s3:GetObject', 's3:GetObjectVersion'],
      resources: isFiltered
        ? [lake.arnForObjects('*'), files.arnForObjects(`${PAGES}*`)]
        : [lake.arnForObjects('raw/*'), lake.arnForObjects('state*')],
    }),
  );
  allowQueries(policy, { config, storage }, { workgroup: name, isDriver: true });
  allow(
    policy,
    { actions: 's3:GetBucketLocation', resources: [lake.bucketArn, files.bucketArn] },
    { actions: 's3:ListBucket ListBucketMultipartUploads', resources: [files.bucketArn] },
    ...(isFiltered ? [] : sharedFiles(storage)),
  );
  allowKey(policy, { keyArn: storage.key?.keyArn, service: 's3' });
  allowKey(policy, { keyArn: config.catalogKmsKeyArn, service: 'glue' });
  return { workgroup, policy, results };
}

/** On files with rows of all sources. */
function sharedFiles({ lake, results }: Storage): readonly Allowance[] {
  return [
    {
      actions: 's3:GetObject',
      resources: [lake.arnForObjects('tables/*')],
      because: 'Readers read every file of the tables.',
    },
    {
      actions: 's3:ListBucket',
      resources: [lake.bucketArn],
      conditions: { StringLike: { 's3:prefix': ['tables/*'] } },
    },
    {
      actions: 's3:GetObject',
      resources: [results.arnForObjects(`${PAGES}*`)],
      because: 'The newest page, and one of each date.',
    },
  ];
}

interface Querying {
  /** The name of the workgroup, and of its folder of results. */
  readonly workgroup: string;
  /** With what drivers of BI tools ask when they connect. @default false */
  readonly isDriver?: boolean;
}

/** Lets readers or operators query the tables by Athena. */
export function allowQueries(
  policy: ManagedPolicy,
  { config, storage }: Queried,
  { workgroup, isDriver = false }: Querying,
): void {
  // Athena and its drivers look at the database `default` in every query.
  const catalog = ['catalog', `database/${config.name}`, 'database/default', `table/${config.name}/*`];
  const athena = {
    resources: [arnHere(policy, 'athena', `workgroup/${workgroup}`)],
    because: 'Start, Stop and Get of queries in this workgroup.',
  };
  const glue = {
    resources: catalog.map((resource) => arnHere(policy, 'glue', resource)),
    because: 'Whoever queries reads every table of this database.',
  };
  const results = {
    resources: [storage.results.arnForObjects(`${workgroup}/*`)],
    because: 'Athena chooses the names of result files; nothing else is in this folder.',
  };
  const opened: Allowance = {
    actions: 'lakeformation:GetDataAccess',
    resources: ['*'],
    because: 'Lake Formation opens the files; it has no resource for this.',
  };
  allow(
    policy,
    ...(rowFiltersOf(config).length > 0 ? [opened] : []),
    // By one name with `*`: a policy has room for few characters.
    { actions: 'athena:*QueryExecution GetQueryResults', ...athena },
    { actions: 'glue:GetDatabase GetTable GetTables GetPartition GetPartitions BatchGetPartition', ...glue },
    { actions: 's3:GetObject PutObject AbortMultipartUpload', ...results },
  );
  if (!isDriver) return;
  const named = 'ListQueryExecutions ListNamedQueries GetNamedQuery BatchGetNamedQuery';
  allow(
    policy,
    { actions: `athena:GetWorkGroup GetQueryResultsStream ${named}`, ...athena },
    { actions: 'glue:GetCatalog GetCatalogs GetDatabases', ...glue },
    { actions: 's3:ListMultipartUploadParts', ...results },
    {
      actions: 'athena:GetDataCatalog ListDatabases GetDatabase ListTableMetadata GetTableMetadata',
      resources: [arnHere(policy, 'athena', 'datacatalog/AwsDataCatalog')],
    },
    {
      actions: 'athena:ListDataCatalogs ListWorkGroups ListEngineVersions',
      resources: ['*'],
      because: 'Drivers list names when they connect; Athena has no resources for these actions.',
    },
  );
}

const GIB = 1024 ** 3;

/** Adds a workgroup with results in a folder of its name, and returns the place: `s3://bucket/name/`. */
export function addWorkgroup(
  scope: Construct,
  id: string,
  { name, config, storage }: Queried & { readonly name: string },
) {
  const outputLocation = `s3://${storage.results.bucketName}/${name}/`;
  const encryptionConfiguration = storage.key
    ? { encryptionOption: 'SSE_KMS', kmsKey: storage.key.keyArn }
    : { encryptionOption: 'SSE_S3' };
  const workgroup = new CfnWorkGroup(scope, id, {
    name,
    description: 'Queries of signage-export',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      // 10 GiB cost 0.05 USD. `estimate` says when a query of all days reaches the limit.
      bytesScannedCutoffPerQuery: config.queryGiB * GIB,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: { outputLocation, encryptionConfiguration },
    },
  });
  return { workgroup, results: outputLocation };
}
