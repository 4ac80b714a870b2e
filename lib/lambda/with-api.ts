import { apiClients, lambdaShare } from '../runtime/api-clients.ts';
import type { ApiServices } from '../runtime/services.ts';
import { keptSecrets } from './kept-secrets.ts';
import type { LambdaServices } from './stage-lambda.ts';

export interface WithApiOptions {
  /** False for the stage that makes a run's first calls. */
  readonly follow: boolean;
}

/** Passes a step clients of APIs, and closes them afterwards. */
export async function withApi<Result>(
  services: LambdaServices,
  { follow }: WithApiOptions,
  step: (services: LambdaServices & ApiServices) => Promise<Result>,
): Promise<Result> {
  const secrets = await keptSecrets();
  await using clients = apiClients({ services, secrets, random: Math.random, share: lambdaShare, follow });
  return await step({ ...services, client: clients.client });
}
