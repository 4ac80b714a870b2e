import { collect } from '#lib/collect/collect.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withApi } from '#lib/lambda/with-api.ts';

export const handler = stageLambda('collect')
  .use(withApi({ follow: true }))
  .handler((event, { services }) => collect(event, services));
