import type { Holder } from '#lib/lake/lease.ts';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';

/**
 * True if the holder of a lease has ended: a process of this machine, or an execution of Step Functions.
 * False if nobody can find out from here, for example without the right to ask Step Functions.
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

export const LOCAL_HOLDER = { holder: thisProcess(), holderHasEnded };
