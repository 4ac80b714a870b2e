import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { RowFilter } from '../lib/config/deployment-shape.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { grant, type Queried } from './rights.ts';
import { workgroupName } from './storage.ts';

/** The row filters of a config; their groups get rows from Lake Formation, and from S3 no file of the lake. */
export function rowFiltersOf({ lakeFormation }: Config): readonly RowFilter[] {
  return lakeFormation?.rowFilters ?? [];
}

/** Adds the Glue database, workgroups and a saved query. Its tables and views are written by commits, not by CloudFormation. */
export function addReporting(scope: Construct, queried: Queried) {
  const { name, readers: groups = [] } = queried.config;
  const database = new CfnDatabase(scope, 'Database', {
    catalogId: Stack.of(scope).account,
    databaseInput: {
      ...{ name, description: 'Tables of signage-export, written by its commits' },
      // Otherwise a new table is open to everybody whom IAM lets ask.
      ...(rowFiltersOf(queried.config).length > 0 && { createTableDefaultPermissions: [] }),
    },
  });
  database.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  const readers = addReaders(scope, queried);
  for (const group of groups) addReaders(scope, queried, group);
  const query = new CfnNamedQuery(scope, 'Query-runs-newest', {
    ...{ name: 'runs-newest', database: name, workGroup: name },
    queryString: 'select * from runs order by export_date desc, started_at desc limit 50',
  });
  query.addResourceDependency(readers.workgroup);
  return readers;
}

/**
 * Adds a workgroup with its own folder for results, and a managed policy for BI tools' roles and users. The policy
 * opens the tables and its own results, but no raw answers and no state. Other groups' results stay shut.
 */
function addReaders(scope: Construct, { config, storage }: Queried, group?: string) {
  const suffix = group === undefined ? '' : `-${group}`;
  const name = workgroupName(config, group);
  const { workgroup, results } = addWorkgroup(scope, `Workgroup${suffix}`, {
    config,
    storage,
    workgroup: name,
  });
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
  grant(policy, isFiltered ? 'filtered' : 'readers', { config, storage, workgroup: name });
  return { workgroup, policy, results };
}

type Querying = Queried & { readonly workgroup: string };

/** Adds a workgroup with results in a folder of its name, and returns the place: `s3://bucket/name/`. */
export function addWorkgroup(scope: Construct, id: string, { config, storage, workgroup }: Querying) {
  const outputLocation = `s3://${storage.results.bucketName}/${workgroup}/`;
  const encryptionConfiguration = storage.key
    ? { encryptionOption: 'SSE_KMS', kmsKey: storage.key.keyArn }
    : { encryptionOption: 'SSE_S3' };
  const made = new CfnWorkGroup(scope, id, {
    name: workgroup,
    description: 'Queries of signage-export',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      // 10 GiB cost 0.05 USD. `estimate` says when a query of all days reaches the limit.
      bytesScannedCutoffPerQuery: config.queryGiB * 1024 ** 3,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: { outputLocation, encryptionConfiguration },
    },
  });
  return { workgroup: made, results: outputLocation };
}
