import { sourceNamed } from '#lib/config/config.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withApi } from '#lib/lambda/with-api.ts';
import { askOnce } from '#lib/list/ask-once.ts';
import { list } from '#lib/list/list.ts';
import { smokeEvent } from '#lib/run/payloads.ts';

/** Before any run, `smoke` asks this function whether the source answers from here. */
export const handler = stageLambda('list')
  .use(withApi({ follow: false }))
  .handler(async (event, { services }) => {
    const smoke = smokeEvent.safeParse(event);
    if (!smoke.success) return await list(event, services);
    return await askOnce(sourceNamed(await bundledConfig(), smoke.data.smoke), services);
  });
