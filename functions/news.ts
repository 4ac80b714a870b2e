import { systemClock } from '#lib/api/clock.ts';
import { putEvents, resultPages, sendToTopic } from '#lib/aws/news-channels.ts';
import { secretsManagerStore } from '#lib/aws/secrets-manager.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { executionEnded, tellNews } from '#lib/news/tell-news.ts';
import { readPage } from '#lib/report/page-files.ts';

/** Tells what an execution brought that ended: events, a message to whom `notify` names, then the page. */
export const handler = lambdaHandler('news', async (event, { lake, now, environment }) =>
  tellNews(executionEnded.parse(Reflect.get(Object(event), 'detail')), {
    lake,
    config: await bundledConfig(),
    stateMachineArn: environment.stateMachineArn,
    now,
    clock: systemClock,
    random: Math.random,
    queries: environment.views,
    page: () => readPage(environment.taskRoot),
    pages: resultPages(environment),
    publish: putEvents,
    webhook: (name) => secretsManagerStore().readWebhook(name),
    sendToTopic,
  }),
);
