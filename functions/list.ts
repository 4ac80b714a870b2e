import { sourceNamed } from '#lib/config/source-named.ts';
import { list } from '#lib/contracts/list.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { withApi } from '#lib/lambda/lambda-api.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { askOnce } from '#lib/list/ask-once.ts';
import { smokeEvent } from '#lib/run/payloads.ts';

/** `smoke` asks this function whether the source answers from here, before any run. */
export const handler = lambdaHandler('list', (event, services) =>
  withApi(services, { follow: false }, async (api) => {
    const smoke = smokeEvent.safeParse(event);
    if (!smoke.success) return await list(event, api);
    return await askOnce(sourceNamed(await bundledConfig(), smoke.data.smoke), api);
  }),
);
