import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { type Config, stackName } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';

const OUTPUTS = {
  /** s3://bucket */
  lake: 'Lake',
  /** The state machine of the operator's commands. */
  operateMachineArn: 'OperateMachineArn',
  startFunction: 'StartFunction',
  listFunction: 'ListFunction',
  database: 'Database',
  /** The operators' workgroup. */
  workgroup: 'OperatorsWorkgroup',
} as const;

/** The outputs of a deployed stack. */
export type DeployedStack = Readonly<Record<keyof typeof OUTPUTS, string>>;

/** The lake of the stack with the config in that file, as `s3://bucket`. Throws UsageError NOT_DEPLOYED. */
export async function deployedLake(configFile: string): Promise<string> {
  return (await deployedStack(await readConfig(configFile))).lake;
}

/** The stack that `npm run deploy` made from the config. Throws UsageError NOT_DEPLOYED. */
export async function deployedStack({ name }: Pick<Config, 'name'>): Promise<DeployedStack> {
  const StackName = stackName({ name });
  const outputs = await outputsOf(StackName);
  const output = (key: string): string => {
    const found = outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    if (found !== undefined) return found;
    throw new UsageError(
      `The stack ${StackName} has no output ${key}, so another version or another program deployed it: run \`npm run deploy\`.`,
      'NOT_DEPLOYED',
    );
  };
  const values = Object.entries(OUTPUTS).map(([name, key]) => [name, output(key)]);
  return Object.fromEntries(values) as DeployedStack;
}

async function outputsOf(StackName: string) {
  try {
    const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0]?.Outputs ?? [];
  } catch (cause) {
    // CloudFormation's word for a missing stack. Other errors of AWS, about credentials and rights, stay as they are.
    if (!(cause instanceof Error) || cause.name !== 'ValidationError') throw cause;
    throw new UsageError(
      `There is no stack ${StackName} in this account and region: set AWS_PROFILE and AWS_REGION to where it is, or deploy it.`,
      'NOT_DEPLOYED',
      cause,
    );
  }
}
