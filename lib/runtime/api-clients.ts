import { LONG_WAIT_MS, type Pace } from '../api/call/limiter.ts';
import { type ApiClient, createApiClient } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import { proxyFor } from '../api/wire/proxy.ts';
import type { SecretStore } from '../config/secrets.ts';
import type { Source } from '../sources/source.ts';
import { environmentVariable } from './environment.ts';
import { type ApiServices, CALLS_END_EARLY_MS, type Pause, type Services } from './services.ts';

export interface ApiClients extends AsyncDisposable {
  readonly client: ApiServices['client'];
}

export interface ApiClientsOptions {
  readonly services: Pick<Services, 'now' | 'timeLeft'>;
  readonly secrets: SecretStore;
  readonly random: () => number;
  /** The part of the source's limits for a client when `width` batches run at once. */
  readonly share: (source: Source, width: number) => Share;
  /** True where other clients may have called the same sources just now. */
  readonly follow: boolean;
  readonly clock?: Clock;
}

/** A source with the concurrency of one of its lanes. */
export interface Share extends Pick<Pace, 'lanes'> {
  readonly source: Source;
}

/** The whole limits, because one client collects every batch of the source. */
export function wholeShare(source: Source): Share {
  return { source, lanes: 1 };
}

/** The limits of one of `width` Lambdas that call the source at once; together they keep to the source's. */
export function lambdaShare(source: Source, width: number): Share {
  return {
    source: { ...source, concurrency: Math.max(1, Math.floor(source.concurrency / width)) },
    lanes: width,
  };
}

/** One client for each source, made at its first use; all are closed together. */
export function apiClients(options: ApiClientsOptions): ApiClients {
  const { services, secrets, random, follow: follows, clock } = options;
  const clients = new Map<string, ApiClient>();
  const pauses = new Map<string, Pause>();
  return {
    client: (source, { width, pause }) => {
      const { name } = source;
      if (pause !== undefined) pauses.set(name, pause);
      const known = clients.get(name);
      if (known !== undefined) return known;
      const { source: limited, lanes } = options.share(source, width);
      const now = () => services.now().getTime();
      const client = createApiClient({
        source: limited,
        secrets,
        now: services.now,
        random,
        proxy: proxyFor(source.baseUrl, environmentVariable),
        timeLeft: () => services.timeLeft() - CALLS_END_EARLY_MS,
        // A cut call would put the answers before it in doubt, and a batch in doubt keeps none of them.
        graceMs: CALLS_END_EARLY_MS / 2,
        pace: {
          lanes,
          follows,
          pausedMs: Math.max(0, (pause?.until()?.getTime() ?? 0) - now()),
          // A date has whole milliseconds.
          onPause: (ms) => pauses.get(name)?.note(new Date(Math.ceil(now() + ms) + 1)),
        },
        // The lake keeps a long wait, so no process has to last for it.
        ...(pause && { waitsMost: LONG_WAIT_MS }),
        ...(clock && { clock }),
      });
      clients.set(name, client);
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}
