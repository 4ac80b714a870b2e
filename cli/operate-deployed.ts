import { randomUUID } from 'node:crypto';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Config } from '#lib/config/config.ts';
import { type Head, readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { type Operated, type Operation, operated } from '#lib/run/payloads.ts';
import { deployedStack } from './deployed-stack.ts';
import { openLake } from './local-services.ts';
import { watchExecution } from './watch-execution.ts';

/** The lake after an operation on AWS. */
export interface OperatedLake {
  readonly lake: Lake;
  readonly head: Head;
  /** False if a repair found nothing to ask again. */
  readonly askedAgain: boolean;
  /** What it would change, or has changed. */
  readonly changes?: Operated['changes'];
  /** What a sync changed. */
  readonly catalog?: Operated['catalog'];
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
  const { execution, changes, catalog } = operated.parse(JSON.parse(output));
  if (execution !== undefined) await watchExecution(execution);
  const lake = await openLake(stack.lake);
  const stored = await readHead(lake);
  if (stored === undefined)
    throw new Error(
      `${operation.command} has ended, but ${stack.lake} has no head: look at the execution in the Step Functions console.`,
    );
  return {
    lake,
    head: stored.head,
    askedAgain: execution !== undefined,
    ...(changes && { changes }),
    ...(catalog && { catalog }),
  };
}
