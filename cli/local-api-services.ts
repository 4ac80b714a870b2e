import type { SecretStore } from '#lib/config/secrets.ts';
import { apiClients, wholeShare } from '#lib/runtime/api-clients.ts';
import type { ApiServices, Services } from '#lib/runtime/services.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';

/** Parallel units on one DuckDB: a small unit fills the gaps of a large one. */
const PUBLISH_WIDTH = 2;

export interface LocalApiServices extends ApiServices, AsyncDisposable {}

/** The services of stages that call APIs. All batches of a source share one client and its limits. */
export function localApiServices(
  services: Services,
  secrets: SecretStore,
  random: () => number = Math.random,
): LocalApiServices {
  const clients = apiClients({ services, secrets, random, share: wholeShare, follow: false });
  const duckDb = sharedDuckDb(services);
  return {
    ...services,
    duckDb,
    publishWidth: Math.max(PUBLISH_WIDTH, services.publishWidth),
    ...(secrets.readKey && { maskKey: secrets.readKey }),
    client: clients.client,
    [Symbol.asyncDispose]: async () => {
      await clients[Symbol.asyncDispose]();
      await duckDb[Symbol.asyncDispose]();
    },
  };
}
