import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describeExecution } from '#lib/aws/step-functions.ts';
import type { Config } from '#lib/config/config.ts';
import { ExportError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import type { DeployedStarted } from '#lib/start/start-deployed.ts';
import { deployedStack } from './deployed-stack.ts';
import { openLake } from './local-services.ts';

/** An execution's state is asked for so often; the first 5,000 questions of a month cost 0.13 USD. */
const ASK_EVERY_MS = 5000;

/**
 * One export on AWS: asks the deployed start for an execution, says on stderr which state it is in, and gives the
 * summary of the run that it committed. Throws what ended the execution, or kept it from beginning.
 */
export async function runDeployed(config: Config, event: StartEvent): Promise<RunSummary> {
  const stack = await deployedStack(config);
  const started = await invokeStart(stack.startFunction, event);
  if (started.kind === 'skipped') {
    throw new ExportError({ code: started.code, message: started.message });
  }
  if (started.kind !== 'committed') await watch(started.execution);
  const lake = openLake(stack.lake);
  const head = (await readHead(lake))?.head;
  if (head !== undefined && head.runId >= started.runId) return await readSummary(lake, head);
  throw new ExportError({
    code: 'RUN_UNKNOWN',
    message: `Run ${started.runId} has ended, but ${stack.lake} has no commit of it: see the execution.`,
  });
}

async function invokeStart(FunctionName: string, event: StartEvent): Promise<DeployedStarted> {
  const { FunctionError, Payload } = await new LambdaClient().send(
    new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(event)) }),
  );
  const answer = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null');
  if (FunctionError === undefined) return answer;
  throw new ExportError({
    code: String(answer?.errorType ?? 'START_FAILED'),
    message: String(answer?.errorMessage ?? `The function ${FunctionName} failed: see its log.`),
  });
}

/** Returns once the execution has ended well, or below its coverage, which its summary says. */
async function watch(execution: string): Promise<void> {
  process.stderr.write(`execution ${execution}\n`);
  let shown: string | undefined;
  for (;;) {
    const { status, state, error, cause } = await describeExecution(execution);
    if (state !== shown) process.stderr.write(`${state ?? status}\n`);
    shown = state;
    if (status === 'SUCCEEDED' || error === 'RUN_FAILED') return;
    if (status !== 'RUNNING') {
      throw new ExportError({
        code: error ?? status,
        message: `The execution ended (${status}): ${cause ?? 'see it in the Step Functions console'}`,
      });
    }
    await sleep(ASK_EVERY_MS);
  }
}
