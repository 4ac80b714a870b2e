import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withMaskKey } from '#lib/lambda/with-mask-key.ts';
import { plan } from '#lib/plan/plan.ts';

export const handler = stageLambda('plan')
  .use(withMaskKey())
  .handler((event, { services }) => plan(event, services));
