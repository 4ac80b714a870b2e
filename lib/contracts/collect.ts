import { collectBatch } from '../collect/collect.ts';
import { collectEvent, type Left, NOTHING_NOW } from '../run/payloads.ts';
import type { ApiServices, Stage } from '../runtime/services.ts';

/** Requests the child listings of one batch of parents. */
export const collect: Stage<ApiServices, Left> = async (event, services) => {
  const batch = collectEvent.parse(event);
  return batch.batch === NOTHING_NOW ? 1 : await collectBatch(batch, services);
};
