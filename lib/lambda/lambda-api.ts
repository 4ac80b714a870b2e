import type { SecretStore } from '../config/secrets.ts';
import { apiClients } from '../runtime/api-clients.ts';
import type { ApiServices } from '../runtime/services.ts';
import type { Source } from '../sources/source.ts';
import type { LambdaServices } from './lambda-handler.ts';

/** Kept between the invocations of a Lambda, for it caches the secrets. */
let secrets: SecretStore | undefined;

/** Runs an action with clients of APIs, and closes them afterwards. Gives what the action gives. */
export async function withApi<Answer>(
  services: LambdaServices,
  action: (services: ApiServices) => Promise<Answer>,
): Promise<Answer> {
  const { secretsManagerStore } = await import('../aws/secrets-manager.ts');
  secrets ??= secretsManagerStore();
  await using clients = apiClients({ services, secrets, random: Math.random, limited: shareOf });
  return await action({ ...services, client: clients.client });
}

/** The source with its share of the limits: `width` Lambdas call it at once and keep its limits together. */
function shareOf(source: Source, width: number): Source {
  const { concurrency, requestsPerSecond } = source;
  return {
    ...source,
    concurrency: Math.max(1, Math.floor(concurrency / width)),
    requestsPerSecond: requestsPerSecond === null ? null : requestsPerSecond / width,
  };
}
