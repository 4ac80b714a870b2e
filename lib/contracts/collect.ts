import { collectBatch } from '../collect/collect.ts';
import { type Collected, collectEvent, type Left, NOTHING_NOW } from '../run/payloads.ts';
import type { ApiServices, Stage } from '../runtime/services.ts';

/** Requests the child listings of some batches of parents, one batch after the other. */
export const collect: Stage<ApiServices, Collected> = async (event, services) => {
  const { batches, ...place } = collectEvent.parse(event);
  let left: Left = 0;
  for (const batch of batches)
    if (batch === NOTHING_NOW || (await collectBatch({ ...place, batch }, services)) === 1) left = 1;
  return { left };
};
