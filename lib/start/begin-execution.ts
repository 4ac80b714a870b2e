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
 * Begins the execution for the lease and returns its ARN. If AWS refuses, it releases the lease and throws
 * the error of AWS. So the next start does not wait for a run that does not exist.
 */
export async function beginExecution({ executions, lake, name, input }: BeginExecution): Promise<string> {
  try {
    return await executions.start(name, input);
  } catch (error) {
    const arn = executions.arnOf(name);
    // The execution may have begun although the answer was lost.
    if ((await executions.stateOf(arn)) !== 'missing') return arn;
    await releaseLease(lake, input);
    throw error;
  }
}
