import { collect } from '#lib/contracts/collect.ts';
import { withApi } from '#lib/lambda/lambda-api.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';

export const handler = lambdaHandler('collect', (event, services) =>
  withApi(services, { follow: true }, (api) => collect(event, api)),
);
