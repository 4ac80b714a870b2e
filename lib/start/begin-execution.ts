import type { Lake } from '../lake/lake.ts';
import { releaseLease } from '../lake/lease.ts';
import type { ExecutionInput, Executions } from '../run/payloads.ts';

export interface BeginExecution {
  readonly executions: Executions;
  readonly lake: Lake;
  readonly name: string;
  readonly input: ExecutionInput;
}

/**
 * Begins the execution for which the lease was taken, and gives its ARN. Where AWS refuses to begin it, gives the lease
 * back and throws what AWS threw: the next start need not wait for a run that does not exist.
 */
export async function beginExecution({ executions, lake, name, input }: BeginExecution): Promise<string> {
  try {
    return await executions.start(name, input);
  } catch (error) {
    const arn = executions.arnOf(name);
    // It may have begun although its answer was lost.
    if ((await executions.stateOf(arn)) !== 'missing') return arn;
    await releaseLease(lake, input);
    throw error;
  }
}
