import { plan } from '#lib/contracts/plan.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { readMaskKey } from '#lib/lambda/mask-key.ts';

export const handler = lambdaHandler('plan', (event, services) =>
  plan(event, { ...services, maskKey: readMaskKey }),
);
