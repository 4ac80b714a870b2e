import { type ApiClient, createApiClient } from '../api/client.ts';
import type { SecretStore } from '../config/secrets.ts';
import type { Source } from '../sources/source.ts';
import { type ApiServices, CALLS_END_EARLY_MS, type Services } from './services.ts';

export interface ApiClients extends AsyncDisposable {
  readonly client: ApiServices['client'];
}

export interface ApiClientsOptions {
  readonly services: Pick<Services, 'now' | 'timeLeft'>;
  readonly secrets: SecretStore;
  readonly random: () => number;
  /** A source with the limits that its client keeps to. */
  readonly limited: (source: Source, width: number) => Source;
}

/** One client for each source, made when it is first asked for; all are closed together. */
export function apiClients({ services, secrets, random, limited }: ApiClientsOptions): ApiClients {
  const clients = new Map<string, ApiClient>();
  return {
    client: (source, width) => {
      const known = clients.get(source.name);
      if (known !== undefined) return known;
      const client = createApiClient({
        source: limited(source, width),
        secrets,
        now: services.now,
        random,
        timeLeft: () => services.timeLeft() - CALLS_END_EARLY_MS,
      });
      clients.set(source.name, client);
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}
