import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { Construct } from 'constructs';
import type { Storage } from './storage.ts';

/** Athena stops a query that reads more, which is 0.05 USD. A daily table of 100,000 players has 10 MB a day. */
const SCAN_CUTOFF_BYTES = 10 * 1024 ** 3;

/** Adds a workgroup with results in a folder of its name, and returns the place: `s3://bucket/name/`. */
export function addWorkgroup(
  scope: Construct,
  id: string,
  { name, storage }: { readonly name: string; readonly storage: Storage },
): { readonly workgroup: CfnWorkGroup; readonly results: string } {
  const results = `s3://${storage.results.bucketName}/${name}/`;
  const workgroup = new CfnWorkGroup(scope, id, {
    name,
    description: 'Queries of signage-export',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      bytesScannedCutoffPerQuery: SCAN_CUTOFF_BYTES,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: {
        outputLocation: results,
        encryptionConfiguration:
          storage.key === undefined
            ? { encryptionOption: 'SSE_S3' }
            : { encryptionOption: 'SSE_KMS', kmsKey: storage.key.keyArn },
      },
    },
  });
  return { workgroup, results };
}
