import { Aws, CfnMapping } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { CONSOLES } from '../lib/aws/console-host.ts';

/** Where the AWS console is, in whatever partition the stack is deployed. */
export function consoleHost(scope: Construct): string {
  const mapping = Object.fromEntries(
    Object.entries(CONSOLES).map(([partition, host]) => [partition, { host }]),
  );
  return new CfnMapping(scope, 'Console', { mapping }).findInMap(Aws.PARTITION, 'host');
}
