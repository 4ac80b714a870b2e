import { collect } from '#lib/collect/collect.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withApi } from '#lib/lambda/with-api.ts';

export const handler = stageLambda('collect', (event, services) =>
  withApi(services, { follow: true }, (own) => collect(event, own)),
);
