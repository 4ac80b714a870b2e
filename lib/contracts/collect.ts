import { collectBatch } from '../collect/collect.ts';
import { collectEvent, type Left } from '../run/payloads.ts';
import type { ApiServices, Stage } from '../runtime/services.ts';

/** Asks for the child listings of one batch of parents. */
export const collect: Stage<ApiServices, Left> = (event, services) =>
  collectBatch(collectEvent.parse(event), services);
