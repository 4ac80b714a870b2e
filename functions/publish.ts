import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { readMaskKey } from '#lib/lambda/mask-key.ts';
import { publishUnit } from '#lib/publish/publish.ts';
import { publishEvent } from '#lib/run/payloads.ts';
import type { Services, Stage } from '#lib/runtime/services.ts';

/** Turns the raw answers of one unit into Parquet. */
export const publish: Stage<Services, 0> = (event, services) =>
  publishUnit(publishEvent.parse(event), services);

export const handler = lambdaHandler('publish', (event, services) =>
  publish(event, { ...services, maskKey: readMaskKey }),
);
