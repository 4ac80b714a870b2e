import { maskKey } from '#lib/lambda/kept-secrets.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { plan } from '#lib/plan/plan.ts';

export const handler = stageLambda('plan', (event, services) => plan(event, { ...services, maskKey }));
