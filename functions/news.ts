import * as z from 'zod';
import { putEvents, resultPages, sendToTopic } from '#lib/aws/news-channels.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { keptSecrets } from '#lib/lambda/kept-secrets.ts';
import { parsed } from '#lib/lambda/parsed.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { executionEnded, tellNews } from '#lib/news/tell-news.ts';
import { readPage } from '#lib/report/page-files.ts';

/** Reports an ended execution: events, a message to the receivers in `notify`, then the page. */
export const handler = stageLambda('news')
  .use(parsed(z.object({ detail: executionEnded })))
  .handler(async ({ detail }, { services: { lake, now, timeLeft, environment } }) =>
    tellNews(detail, {
      lake,
      config: await bundledConfig(),
      stateMachineArn: environment.stateMachineArn,
      now,
      timeLeft,
      queries: environment.views,
      page: () => readPage(environment.taskRoot),
      pages: resultPages(environment),
      publish: putEvents,
      webhook: async (name) => (await keptSecrets()).readWebhook(name),
      sendToTopic,
    }),
  );
