import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiClient, type ApiClientOptions, createApiClient } from '#lib/api/client.ts';
import type { ListingEnd } from '#lib/api/listing.ts';
import { type FetchListingOptions, fetchListing } from '#lib/api/listing.ts';
import type { Source } from '#lib/config/config.ts';
import type { RawRow } from '#lib/lake/raw/raw.ts';
import { type ResourceName, resourceNamed } from '#lib/resources.ts';

export const API_KEY = 'test-key-4711-abc';

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: IncomingMessage[];
}

/** A server on 127.0.0.1 that answers as the listener says and keeps every request. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    calls.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers with a JSON text and status 200. */
export function json(
  response: ServerResponse,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
}

/** A signage source at a test server. */
export function sourceAt(url: string, more: Partial<Source> = {}): Source {
  return {
    name: 'berlin',
    kind: 'signage',
    baseUrl: url,
    secret: 'signage/berlin',
    basePath: '/gv2/webservices/API',
    apiVersion: '1.12',
    product: 'backup',
    versions: { pricing: 1, storages: 1, slots: 0 },
    concurrency: 8,
    requestsPerSecond: null,
    allowHttp: false,
    maxListingBytes: 2 ** 31,
    resources: {},
    ...more,
  };
}

export type TestClient = ApiClient & AsyncDisposable & { readonly waits: number[] };

/** A client whose waiting takes no time; `waits` has the milliseconds that it would have slept. */
export function clientOf(source: Source, more: Partial<ApiClientOptions> = {}): TestClient {
  const waits: number[] = [];
  let slept = 0;
  const clock = {
    monotonic: () => performance.now() + slept,
    sleep: async (ms: number) => {
      waits.push(ms);
      slept += ms;
    },
  };
  const client = createApiClient({
    source,
    secrets: {
      read: async () => (source.kind === 'signage' ? { apiKey: API_KEY } : { accessToken: API_KEY }),
    },
    now: () => new Date('2026-11-21T03:00:00Z'),
    random: () => 0.5,
    timeLeft: () => 3_600_000,
    clock,
    ...more,
  });
  return { ...client, waits, [Symbol.asyncDispose]: () => client.close() };
}

export interface Fetched {
  readonly rows: readonly RawRow[];
  readonly end: ListingEnd;
  readonly records: readonly unknown[];
}

/** Reads a listing to its end. */
export async function fetchAll(options: FetchListingOptions): Promise<Fetched> {
  const rows: RawRow[] = [];
  const records: unknown[] = [];
  const listing = fetchListing({ ...options, onRecords: (more) => records.push(...more) });
  for (;;) {
    const next = await listing.next();
    if (next.done === true) return { rows, end: next.value, records };
    rows.push(next.value);
  }
}

/** Asks a server once for a resource; `parentId` 7 for those that have a parent. */
export async function fetchFrom(
  url: string,
  name: ResourceName,
  more: { readonly source?: Partial<Source>; readonly lock?: FetchListingOptions['lock'] } = {},
): Promise<Fetched> {
  const resource = resourceNamed(name);
  const source = sourceAt(url, { kind: resource.kind, ...more.source });
  await using client = clientOf(source);
  const parentId = resource.parent === null ? null : '7';
  return await fetchAll({ client, source, resource, parentId, ...(more.lock && { lock: more.lock }) });
}
