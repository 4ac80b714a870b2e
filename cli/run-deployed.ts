import type { Config } from '#lib/config/config.ts';
import { ExportError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import { operated, type StartEvent } from '#lib/run/payloads.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import { deployedStarted } from '#lib/start/start-deployed.ts';
import { deployedStack } from './deployed-stack.ts';
import { invokeFunction } from './invoke-function.ts';
import { openLake } from './local-services.ts';
import { watchExecution } from './watch-execution.ts';

/**
 * One export on AWS: starts an execution by the deployed start function, and shows its states on stderr. Returns the
 * summary of the run that it committed. Throws if the execution cannot begin, or ends without a commit.
 */
export async function runDeployed(config: Config, event: StartEvent): Promise<RunSummary> {
  const stack = await deployedStack(config);
  const started = deployedStarted.parse(await invokeFunction(stack.startFunction, event));
  if (started.kind === 'skipped') {
    throw new ExportError({ code: started.code, message: started.message });
  }
  if (started.kind !== 'committed') {
    const { output = '{}' } = await watchExecution(started.execution);
    if (started.kind === 'delayed') {
      const { execution } = operated.parse(JSON.parse(output));
      if (execution !== undefined) await watchExecution(execution);
    }
  }
  const lake = await openLake(stack.lake);
  const head = (await readHead(lake))?.head;
  if (head !== undefined && head.runId >= started.runId) return await readSummary(lake, head);
  throw new ExportError({
    code: 'RUN_UNKNOWN',
    message: `Run ${started.runId} has ended, but ${stack.lake} has no commit of it: look at the execution in the Step Functions console.`,
  });
}
