import { Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { RowFilter } from '../lib/config/deployment-shape.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { grant, type Queried } from './rights.ts';
import { readersName } from './storage.ts';

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
  grant(policy, isFiltered ? 'filtered' : 'readers', { config, storage, workgroup: name });
  return { workgroup, policy, results };
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
