import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { Storage } from './storage.ts';

const GIB = 1024 ** 3;

/** Adds a workgroup with results in a folder of its name, and returns the place: `s3://bucket/name/`. */
export function addWorkgroup(
  scope: Construct,
  id: string,
  { name, config, storage }: { readonly name: string; readonly config: Config; readonly storage: Storage },
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
