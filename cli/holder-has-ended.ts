import type { Holder } from '#lib/lake/lease.ts';
import { processHasEnded } from '#lib/runtime/holder.ts';

/**
 * Whether the holder of a lease has ended: a process of this machine, or an execution, which Step Functions is asked
 * about. False where nobody can tell from here, for want of rights too.
 */
export async function holderHasEnded(holder: Holder): Promise<boolean> {
  if (!('execution' in holder)) return await processHasEnded(holder);
  const { stepFunctionsExecutions } = await import('#lib/aws/step-functions.ts');
  const [machine = ''] = holder.execution.replace(':execution:', ':stateMachine:').split(/:[^:]+$/);
  const state = await stepFunctionsExecutions(machine)
    .stateOf(holder.execution)
    .catch(() => 'unknown');
  return state === 'ended';
}
