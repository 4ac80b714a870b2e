import { readFileSync } from 'node:fs';

const recommended = new URL('../node_modules/aws-cdk-lib/recommended-feature-flags.json', import.meta.url);

/** What a new CDK app of this version is advised to switch on; from the library, so that cdk.json does not copy 89 lines. */
export const FEATURE_FLAGS: Readonly<Record<string, unknown>> = {
  ...JSON.parse(readFileSync(recommended, 'utf8')),
  // Log groups are made here, each with a name and retention.
  '@aws-cdk/aws-lambda:useCdkManagedLogGroup': false,
};
