import { withApi } from '#lib/lambda/lambda-api.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { listSource } from '#lib/list/list.ts';
import { listEvent, type Work } from '#lib/run/payloads.ts';
import type { ApiServices, Stage } from '#lib/runtime/services.ts';

/** Calls a source's top-level listings and cuts its players or storages into batches. */
export const list: Stage<ApiServices, Work> = (event, services) =>
  listSource(listEvent.parse(event), services);

export const handler = lambdaHandler('list', (event, services) =>
  withApi(services, { follow: false }, (api) => list(event, api)),
);
