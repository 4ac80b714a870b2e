import type { SecretStore } from '../config/secrets.ts';
import { apiClients, lambdaShare } from '../runtime/api-clients.ts';
import type { ApiServices } from '../runtime/services.ts';
import type { LambdaServices } from './lambda-handler.ts';

/** Kept between the invocations of a Lambda, for it caches the secrets. */
let secrets: SecretStore | undefined;

export interface WithApiOptions {
  /** False for the stage that makes a run's first calls. */
  readonly follow: boolean;
}

/** Runs an action with clients of APIs, and closes them afterwards. Gives what the action gives. */
export async function withApi<Answer>(
  services: LambdaServices,
  { follow }: WithApiOptions,
  action: (services: ApiServices) => Promise<Answer>,
): Promise<Answer> {
  const { secretsManagerStore } = await import('../aws/secrets-manager.ts');
  secrets ??= secretsManagerStore();
  await using clients = apiClients({ services, secrets, random: Math.random, share: lambdaShare, follow });
  return await action({ ...services, client: clients.client });
}
