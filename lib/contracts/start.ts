import { startEvent } from '../run/payloads.ts';
import type { Services } from '../runtime/services.ts';
import { type Started, type StartServices, startRun } from '../start/start.ts';

/** Takes the lease and writes what the run's stages read. */
export const start = (event: unknown, services: Services & StartServices): Promise<Started> =>
  startRun(startEvent.parse(event), services);
