import { collectBatch } from '../collect/collect.ts';
import { type Collected, collectEvent, type Left } from '../run/payloads.ts';
import type { ApiServices, Stage } from '../runtime/services.ts';

/** Requests the child listings of some batches of parents, one batch after the other. */
export const collect: Stage<ApiServices, Collected> = async (event, services) => {
  const { batches, more = false, ...place } = collectEvent.parse(event);
  let left: Left = 0;
  for (const batch of batches) if ((await collectBatch({ ...place, batch }, services)) === 1) left = 1;
  return { left: left === 0 && more ? 2 : left };
};
