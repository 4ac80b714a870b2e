import { maskKey } from '#lib/lambda/kept-secrets.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { publish } from '#lib/publish/publish.ts';

export const handler = stageLambda('publish', (event, services) => publish(event, { ...services, maskKey }));
