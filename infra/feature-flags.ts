import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const recommended = createRequire(import.meta.url).resolve('aws-cdk-lib/recommended-feature-flags.json');

/** CDK's recommended flags for a new app of this version, from the library and not copied into cdk.json. */
export const FEATURE_FLAGS: Readonly<Record<string, unknown>> = {
  ...JSON.parse(readFileSync(recommended, 'utf8')),
  // Log groups are made here, each with a name and retention.
  '@aws-cdk/aws-lambda:useCdkManagedLogGroup': false,
};
