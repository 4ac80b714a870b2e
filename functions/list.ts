import { sourceNamed } from '#lib/config/source-named.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { withApi } from '#lib/lambda/lambda-api.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { askOnce } from '#lib/list/ask-once.ts';
import { listSource } from '#lib/list/list.ts';
import { listEvent, smokeEvent, type Work } from '#lib/run/payloads.ts';
import type { ApiServices, Stage } from '#lib/runtime/services.ts';

/** Calls a source's top-level listings and cuts its players or storages into batches. */
export const list: Stage<ApiServices, Work> = (event, services) =>
  listSource(listEvent.parse(event), services);

/** `smoke` asks this function whether the source answers from here, before any run. */
export const handler = lambdaHandler('list', (event, services) =>
  withApi(services, { follow: false }, async (api) => {
    const smoke = smokeEvent.safeParse(event);
    if (!smoke.success) return await list(event, api);
    return await askOnce(sourceNamed(await bundledConfig(), smoke.data.smoke), api);
  }),
);
