import { thisProcess } from '#lib/runtime/holder.ts';
import { holderHasEnded } from './holder-has-ended.ts';

/** Who holds a lease that this process takes. */
export const LOCAL_HOLDER = { holder: thisProcess(), holderHasEnded };
