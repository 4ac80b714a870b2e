import { collectBatch } from '#lib/collect/collect.ts';
import { withApi } from '#lib/lambda/lambda-api.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { collectEvent, type Left } from '#lib/run/payloads.ts';
import type { ApiServices, Stage } from '#lib/runtime/services.ts';

/** Asks for the child listings of one batch of parents. */
export const collect: Stage<ApiServices, Left> = (event, services) =>
  collectBatch(collectEvent.parse(event), services);

export const handler = lambdaHandler('collect', (event, services) =>
  withApi(services, { follow: true }, (api) => collect(event, api)),
);
