import { publish } from '#lib/contracts/publish.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withMaskKey } from '#lib/lambda/with-mask-key.ts';

export const handler = stageLambda('publish')
  .use(withMaskKey())
  .handler((event, { services }) => publish(event, services));
