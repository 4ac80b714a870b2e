import { publishUnit } from '../publish/publish.ts';
import { publishEvent } from '../run/payloads.ts';
import type { Services, Stage } from '../runtime/services.ts';

/** Turns the raw answers of one unit into Parquet. */
export const publish: Stage<Services, 0> = (event, services) =>
  publishUnit(publishEvent.parse(event), services);
