import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { sweepEvent, type Work } from '#lib/run/payloads.ts';
import type { Services, Stage } from '#lib/runtime/services.ts';
import { sweepSource } from '#lib/sweep/sweep.ts';

/** Makes new batches of what a pass over a source left. */
export const sweep: Stage<Services, Work> = (event, services) =>
  sweepSource(sweepEvent.parse(event), services);

export const handler = lambdaHandler('sweep', sweep);
