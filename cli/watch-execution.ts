import { setTimeout as sleep } from 'node:timers/promises';
import { describeExecution, type ExecutionReport } from '#lib/aws/step-functions.ts';
import { ExportError } from '#lib/errors.ts';
import { note } from './say.ts';

/** The pause between two looks at an execution; 5,000 looks a month cost 0.13 USD. */
const ASK_EVERY_MS = 5000;

/**
 * Shows the states of an execution on stderr until it ends. Returns its report if it ended well or with
 * RUN_FAILED (coverage below minCoverage); throws the error of any other end.
 */
export async function watchExecution(execution: string): Promise<ExecutionReport> {
  note(`execution ${execution}`);
  let shown: string | undefined;
  for (;;) {
    const report = await describeExecution(execution);
    const { status, state, error, cause } = report;
    if (state !== shown) note(state ?? status ?? '');
    shown = state;
    if (status === 'SUCCEEDED' || error === 'RUN_FAILED') return report;
    if (status !== 'RUNNING') {
      throw new ExportError({
        code: error ?? status,
        message: `The execution ended (${status}): ${messageOf(cause) ?? 'look at it in the Step Functions console'}`,
      });
    }
    await sleep(ASK_EVERY_MS);
  }
}

/** The message of the stage's error: Lambda returns the error as JSON, with its trace. */
function messageOf(cause: string | undefined): string | undefined {
  try {
    return JSON.parse(cause ?? 'null')?.errorMessage ?? cause;
  } catch {
    return cause;
  }
}
