import { setTimeout as sleep } from 'node:timers/promises';
import { describeExecution, type ExecutionReport } from '#lib/aws/step-functions.ts';
import { ExportError } from '#lib/errors.ts';

/** An execution's state is asked for so often; the first 5,000 questions of a month cost 0.13 USD. */
const ASK_EVERY_MS = 5000;

/**
 * Says on stderr which state an execution is in, and gives how it stands once it has ended well, or below its coverage,
 * which the run's summary says. Throws what ended it else.
 */
export async function watchExecution(execution: string): Promise<ExecutionReport> {
  process.stderr.write(`execution ${execution}\n`);
  let shown: string | undefined;
  for (;;) {
    const report = await describeExecution(execution);
    const { status, state, error, cause } = report;
    if (state !== shown) process.stderr.write(`${state ?? status}\n`);
    shown = state;
    if (status === 'SUCCEEDED' || error === 'RUN_FAILED') return report;
    if (status !== 'RUNNING') {
      throw new ExportError({
        code: error ?? status,
        message: `The execution ended (${status}): ${messageOf(cause) ?? 'see it in the Step Functions console'}`,
      });
    }
    await sleep(ASK_EVERY_MS);
  }
}

/** What the stage threw: Lambda gives it as JSON, with the trace. */
function messageOf(cause: string | undefined): string | undefined {
  try {
    return JSON.parse(cause ?? 'null')?.errorMessage ?? cause;
  } catch {
    return cause;
  }
}
