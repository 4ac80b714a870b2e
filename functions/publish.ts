import { publish } from '#lib/contracts/publish.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { readMaskKey } from '#lib/lambda/mask-key.ts';

export const handler = lambdaHandler('publish', (event, services) =>
  publish(event, { ...services, maskKey: readMaskKey }),
);
