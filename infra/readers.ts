import { Stack } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { RowFilter } from '../lib/config/deployment-shape.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { type Allowance, allow, allowKey, arnHere, CATALOG_KEY_ACTIONS } from './allow.ts';
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

/** The row filters of a config; their groups get rows from Lake Formation, and from S3 no file of the lake. */
export function rowFiltersOf({ lakeFormation }: Config): readonly RowFilter[] {
  return lakeFormation?.rowFilters ?? [];
}

/**
 * Adds a workgroup with its own folder for results, and a managed policy for BI tools' roles and users. The policy
 * opens the tables and its own results, but no raw answers and no state. Other groups' results stay shut.
 */
export function addReaders(scope: Construct, { config, storage, group }: ReadersProps): Readers {
  const suffix = group === undefined ? '' : `-${group}`;
  const name = readersName(config, group);
  const { workgroup, results } = addWorkgroup(scope, `Workgroup${suffix}`, { name, config, storage });
  const policy = new ManagedPolicy(scope, `Readers${suffix}`, {
    managedPolicyName: `${name}-readers-${Stack.of(scope).region}`,
    // Never change it: AWS then makes a new policy, which cannot have the name of the old one.
    description: 'Queries the tables of signage-export in its workgroup; sees neither raw answers nor state',
  });
  const filtered = rowFiltersOf(config).some((each) => each.group === group);
  denyAllButTables(policy, storage, filtered);
  allow(
    policy,
    ...queryRights(policy, { config, storage, workgroup: name }),
    ...driverRights(policy, { config, storage, workgroup: name }),
    ...fileRights(storage),
    ...(filtered ? [] : sharedFileRights(storage)),
  );
  allowKey(policy, { keyArn: storage.key?.keyArn, service: 's3' });
  allowKey(policy, { keyArn: config.catalogKmsKeyArn, service: 'glue', actions: CATALOG_KEY_ACTIONS });
  return { workgroup, policy, results };
}

/** What drivers of BI tools ask when they connect. */
function driverRights(scope: Construct, props: QueryRightsProps): readonly Allowance[] {
  const [athena, glue, results] = queryResources(scope, props);
  return [
    {
      actions: [
        'athena:GetWorkGroup',
        'athena:GetQueryResultsStream',
        'athena:ListQueryExecutions',
        'athena:ListNamedQueries',
        'athena:GetNamedQuery',
        'athena:BatchGetNamedQuery',
      ],
      ...athena,
    },
    { actions: ['glue:GetCatalog', 'glue:GetCatalogs', 'glue:GetDatabases'], ...glue },
    { actions: ['s3:ListMultipartUploadParts'], ...results },
    {
      actions: [
        'athena:GetDataCatalog',
        'athena:ListDatabases',
        'athena:GetDatabase',
        'athena:ListTableMetadata',
        'athena:GetTableMetadata',
      ],
      resources: [arnHere(scope, 'athena', 'datacatalog/AwsDataCatalog')],
    },
    {
      actions: ['athena:ListDataCatalogs', 'athena:ListWorkGroups', 'athena:ListEngineVersions'],
      resources: ['*'],
      because: 'Drivers list names when they connect; Athena has no resources for these actions.',
    },
  ];
}

/** This applies whatever else opens the bucket, such as a policy for all of S3. Operators must not have it. */
function denyAllButTables(policy: ManagedPolicy, { lake, results }: Storage, filtered: boolean): void {
  const shut = filtered
    ? [lake.arnForObjects('*'), results.arnForObjects(`${PAGES}*`)]
    : [lake.arnForObjects('raw/*'), lake.arnForObjects('state*')];
  policy.addStatements(
    new PolicyStatement({
      sid: 'TablesAlone',
      effect: Effect.DENY,
      actions: ['s3:GetObject', 's3:GetObjectVersion'],
      resources: shut,
    }),
  );
}

/** On files with rows of all sources. */
function sharedFileRights({ lake, results }: Storage): readonly Allowance[] {
  return [
    {
      actions: ['s3:GetObject'],
      resources: [lake.arnForObjects('tables/*')],
      because: 'Readers read every file of the tables.',
    },
    {
      actions: ['s3:ListBucket'],
      resources: [lake.bucketArn],
      conditions: { StringLike: { 's3:prefix': ['tables/*'] } },
    },
    {
      actions: ['s3:GetObject'],
      resources: [results.arnForObjects(`${PAGES}*`)],
      because: 'The newest page, and one of each date.',
    },
  ];
}

function fileRights({ lake, results }: Storage): readonly Allowance[] {
  return [
    { actions: ['s3:GetBucketLocation'], resources: [lake.bucketArn, results.bucketArn] },
    { actions: ['s3:ListBucket', 's3:ListBucketMultipartUploads'], resources: [results.bucketArn] },
  ];
}

export interface QueryRightsProps {
  readonly config: Config;
  readonly storage: Storage;
  /** The name of the workgroup, and of its folder of results. */
  readonly workgroup: string;
}

/** What everybody needs who queries the tables by Athena, readers and operators alike. */
export function queryRights(scope: Construct, props: QueryRightsProps): readonly Allowance[] {
  const [athena, glue, results] = queryResources(scope, props);
  const because = 'Lake Formation opens the files; it has no resource for this.';
  const opened = { actions: ['lakeformation:GetDataAccess'], resources: ['*'], because };
  return [
    ...(rowFiltersOf(props.config).length > 0 ? [opened] : []),
    // By one name with `*`: a policy has room for few characters.
    { actions: ['athena:*QueryExecution', 'athena:GetQueryResults'], ...athena },
    {
      actions: [
        'glue:GetDatabase',
        'glue:GetTable',
        'glue:GetTables',
        'glue:GetPartition',
        'glue:GetPartitions',
        'glue:BatchGetPartition',
      ],
      ...glue,
    },
    { actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], ...results },
  ];
}

/** The workgroup, the catalog and the result files of who queries. */
function queryResources(scope: Construct, { config, storage, workgroup }: QueryRightsProps) {
  const { name } = config;
  // Athena and its drivers look at the database `default` in every query.
  const catalog = ['catalog', `database/${name}`, 'database/default', `table/${name}/*`];
  return [
    {
      resources: [arnHere(scope, 'athena', `workgroup/${workgroup}`)],
      because: 'Start, Stop and Get of queries in this workgroup.',
    },
    {
      resources: catalog.map((resource) => arnHere(scope, 'glue', resource)),
      because: 'Whoever queries reads every table of this database.',
    },
    {
      resources: [storage.results.arnForObjects(`${workgroup}/*`)],
      because: 'Athena chooses the names of result files; nothing else is in this folder.',
    },
  ] as const;
}
