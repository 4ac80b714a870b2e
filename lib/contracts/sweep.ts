import { sweepEvent, type Work } from '../run/payloads.ts';
import type { Services, Stage } from '../runtime/services.ts';
import { sweepSource } from '../sweep/sweep.ts';

/** Makes new batches of what a pass over a source left. */
export const sweep: Stage<Services, Work> = (event, services) =>
  sweepSource(sweepEvent.parse(event), services);
