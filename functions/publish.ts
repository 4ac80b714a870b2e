import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withMaskKey } from '#lib/lambda/with-mask-key.ts';
import { publish } from '#lib/publish/publish.ts';

export const handler = stageLambda('publish')
  .use(withMaskKey())
  .handler((event, { services }) => publish(event, services));
