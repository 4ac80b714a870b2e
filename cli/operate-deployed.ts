import { randomUUID } from 'node:crypto';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Config } from '#lib/config/config.ts';
import { type Head, readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { type Operated, type Operation, operated } from '#lib/run/payloads.ts';
import { deployedStack } from './deployed-stack.ts';
import { openLake } from './local-services.ts';
import { watchExecution } from './watch-execution.ts';

/** The lake after an operation on AWS, and what the operation said. */
export interface OperatedLake extends Operated {
  readonly lake: Lake;
  readonly head: Head;
}

/** Runs an operation in the deployed stack, and waits for its end. Throws what the command throws. */
export async function operateDeployed(config: Config, operation: Operation): Promise<OperatedLake> {
  const stack = await deployedStack(config);
  const { executionArn = '' } = await new SFNClient().send(
    new StartExecutionCommand({
      stateMachineArn: stack.operateMachineArn,
      name: `${operation.command}-${randomUUID()}`,
      input: JSON.stringify(operation),
    }),
  );
  const { output = '{}' } = await watchExecution(executionArn);
  const said = operated.parse(JSON.parse(output));
  if (said.execution !== undefined) await watchExecution(said.execution);
  const lake = await openLake(stack.lake);
  const stored = await readHead(lake);
  if (stored === undefined)
    throw new Error(
      `${operation.command} has ended, but ${stack.lake} has no head: look at the execution in the Step Functions console.`,
    );
  return { ...said, lake, head: stored.head };
}
