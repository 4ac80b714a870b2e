import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { describeExecution, type ExecutionReport } from '#lib/aws/step-functions.ts';
import { type Config, stackName } from '#lib/config/config.ts';
import { ExportError, UsageError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import { type Operation, operated, type StartEvent } from '#lib/run/payloads.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import { deployedStarted } from '#lib/start/start-deployed.ts';
import { openLake } from './local-services.ts';
import { note } from './say.ts';

type Output =
  | 'Lake'
  | 'OperateMachineArn'
  | 'StartFunction'
  | 'ListFunction'
  | 'Database'
  | 'OperatorsWorkgroup';

/** The outputs of the stack that `npm run deploy` made from the config. Throws UsageError NOT_DEPLOYED. */
export async function deployedStack({ name }: Pick<Config, 'name'>): Promise<(output: Output) => string> {
  const StackName = stackName({ name });
  const described = new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const { Stacks } = await described.catch((cause: unknown) => {
    // CloudFormation's word for a missing stack. Other errors of AWS, about credentials and rights, stay as they are.
    if (!(cause instanceof Error) || cause.name !== 'ValidationError') throw cause;
    const cure = 'set AWS_PROFILE and AWS_REGION to where it is, or deploy it';
    const says = `There is no stack ${StackName} in this account and region: ${cure}.`;
    throw new UsageError(says, 'NOT_DEPLOYED', cause);
  });
  return (output) => {
    const found = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
    if (found !== undefined) return found;
    const says = `The stack ${StackName} has no output ${output}, so another version or another program deployed it`;
    throw new UsageError(`${says}: run \`npm run deploy\`.`, 'NOT_DEPLOYED');
  };
}

const lambdaError = z.object({ errorType: z.string(), errorMessage: z.string() }).partial().nullable();

export async function invokeFunction(FunctionName: string, event: object): Promise<unknown> {
  const { FunctionError, Payload } = await new LambdaClient().send(
    new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(event)) }),
  );
  const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null');
  if (FunctionError === undefined) return answer;
  const { errorType, errorMessage } = lambdaError.parse(answer) ?? {};
  throw new ExportError({
    code: errorType ?? 'START_FAILED',
    message: errorMessage ?? `The function ${FunctionName} failed: look at its log.`,
  });
}

/** One export on AWS, shown on stderr. Throws if its execution cannot begin, or ends without a commit. */
export async function runDeployed(config: Config, event: StartEvent): Promise<RunSummary> {
  const output = await deployedStack(config);
  const started = deployedStarted.parse(await invokeFunction(output('StartFunction'), event));
  if (started.kind === 'skipped') throw new ExportError({ code: started.code, message: started.message });
  if (started.kind !== 'committed') await watchExecution(started.execution);
  const lake = await openLake(output('Lake'));
  const head = (await readHead(lake))?.head;
  if (head !== undefined && head.runId >= started.runId) return await readSummary(lake, head);
  throw new ExportError({
    code: 'RUN_UNKNOWN',
    message: `Run ${started.runId} has ended, but ${lake.name} has no commit of it: look at the execution in the Step Functions console.`,
  });
}

/** Runs an operation in the deployed stack, and waits for its end. Throws what the command throws. */
export async function operateDeployed(config: Config, operation: Operation) {
  const output = await deployedStack(config);
  const { executionArn = '' } = await new SFNClient().send(
    new StartExecutionCommand({
      stateMachineArn: output('OperateMachineArn'),
      name: `${operation.command}-${randomUUID()}`,
      input: JSON.stringify(operation),
    }),
  );
  const ended = await watchExecution(executionArn);
  const lake = await openLake(output('Lake'));
  const head = (await readHead(lake))?.head;
  if (head !== undefined) return { ...operated.parse(JSON.parse(ended.output ?? '{}')), lake, head };
  const cure = 'look at the execution in the Step Functions console';
  throw new Error(`${operation.command} has ended, but ${lake.name} has no head: ${cure}.`);
}

/** The pause between two looks at an execution; 5,000 looks a month cost 0.13 USD. */
const ASK_EVERY_MS = 5000;

/** Shows an execution, and the one that it starts, until its end. Throws the error of any end but RUN_FAILED. */
async function watchExecution(execution: string): Promise<ExecutionReport> {
  note(`execution ${execution}`);
  let shown: string | undefined;
  for (;;) {
    const report = await describeExecution(execution);
    const { status, state, error, cause } = report;
    if (state !== shown) note(state ?? status ?? '');
    shown = state;
    if (status === 'SUCCEEDED' || error === 'RUN_FAILED') {
      const { data } = operated.safeParse(JSON.parse(report.output ?? 'null'));
      if (data?.execution !== undefined) await watchExecution(data.execution);
      return report;
    }
    if (status !== 'RUNNING')
      throw new ExportError({
        code: error ?? status,
        message: `The execution ended (${status}): ${errorMessageIn(cause) ?? 'look at it in the Step Functions console'}`,
      });
    await sleep(ASK_EVERY_MS);
  }
}

/** The message of the stage's error: Lambda returns the error as JSON, with its trace. */
function errorMessageIn(cause: string | undefined): string | undefined {
  try {
    return JSON.parse(cause ?? 'null')?.errorMessage ?? cause;
  } catch {
    return cause;
  }
}
