import { collectBatch } from '#lib/collect/collect.ts';
import { lambdaHandler } from '#lib/runtime/lambda.ts';
import { withApi } from '#lib/runtime/lambda-api.ts';
import { collectEvent, type Left } from '#lib/runtime/payloads.ts';
import type { ApiServices, Stage } from '#lib/runtime/services.ts';

/** Asks for the child listings of one batch of parents. */
export const collect: Stage<ApiServices, Left> = (event, services) =>
  collectBatch(collectEvent.parse(event), services);

export const handler = lambdaHandler('collect', (event, services) =>
  withApi(services, (api) => collect(event, api)),
);
