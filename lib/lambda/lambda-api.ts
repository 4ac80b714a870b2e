import type { SecretStore } from '../config/secrets.ts';
import { apiClients } from '../runtime/api-clients.ts';
import type { ApiServices } from '../runtime/services.ts';
import type { Source } from '../sources/source.ts';
import type { LambdaServices } from './lambda-handler.ts';

/** Kept between the invocations of a Lambda, for it caches. */
let secrets: SecretStore | undefined;

/** What the action gives with clients of APIs at hand; they are closed afterwards. */
export async function withApi<Answer>(
  services: LambdaServices,
  action: (services: ApiServices) => Promise<Answer>,
): Promise<Answer> {
  const { secretsManagerStore } = await import('../aws/secrets-manager.ts');
  secrets ??= secretsManagerStore();
  await using clients = apiClients({ services, secrets, random: Math.random, limited: shareOf });
  return await action({ ...services, client: clients.client });
}

/** The limits of one of `width` Lambdas that call the source at once; together they keep to the source's. */
function shareOf(source: Source, width: number): Source {
  const { concurrency, requestsPerSecond } = source;
  return {
    ...source,
    concurrency: Math.max(1, Math.floor(concurrency / width)),
    requestsPerSecond: requestsPerSecond === null ? null : requestsPerSecond / width,
  };
}
