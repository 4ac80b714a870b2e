import { type ApiClient, createApiClient } from '../api/client.ts';
import type { SecretStore } from '../config/secrets.ts';
import { type ApiServices, CALLS_END_EARLY_MS } from '../runtime/services.ts';
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
  const store = secrets;
  const clients = new Map<string, ApiClient>();
  const client = (source: Source, width: number): ApiClient => {
    const made =
      clients.get(source.name) ??
      createApiClient({
        source: shareOf(source, width),
        secrets: store,
        now: services.now,
        random: Math.random,
        timeLeft: () => services.timeLeft() - CALLS_END_EARLY_MS,
      });
    clients.set(source.name, made);
    return made;
  };
  try {
    return await action({ ...services, client });
  } finally {
    await Promise.all([...clients.values()].map((each) => each.close()));
  }
}

/** The limits of one of `width` Lambdas that call the source at once; together they keep to the source's. */
export function shareOf(source: Source, width: number): Source {
  const { concurrency, requestsPerSecond } = source;
  return {
    ...source,
    concurrency: Math.max(1, Math.floor(concurrency / width)),
    requestsPerSecond: requestsPerSecond === null ? null : requestsPerSecond / width,
  };
}
