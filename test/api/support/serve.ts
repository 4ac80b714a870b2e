import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { type ApiClient, type ApiClientOptions, createApiClient } from '#lib/api/client.ts';
import type { FetchListingOptions } from '#lib/api/endings.ts';
import { fetchListing } from '#lib/api/listing.ts';
import { sourceShape } from '#lib/config/config-shape.ts';
import type { RawRow } from '#lib/lake/raw/raw.ts';
import { type ResourceName, resourceNamed, type SourceKind } from '#lib/sources/resources.ts';
import type { CommonSettings, Source } from '#lib/sources/source.ts';

export const API_KEY = 'test-key-4711-abc';
export const TARGET = { path: '/x', query: {} };
export const BOUNDS = { maxBytes: 1_000_000, timeoutMs: 5000 };

/** Lets a server of any protocol listen on 127.0.0.1 until it is disposed of. */
export async function listening(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
    },
  };
}

/** A server on 127.0.0.1 that answers as the listener says and keeps every request. */
export async function serve(listener: RequestListener) {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    calls.push(request);
    listener(request, response);
  });
  const { port, ...ends } = await listening(server);
  return { url: `http://127.0.0.1:${port}`, calls, ...ends };
}

/** Answers with a JSON text and status 200. */
export function json(response: ServerResponse, body: string | Buffer, more: Record<string, string> = {}) {
  response.writeHead(response.statusCode, { 'content-type': 'application/json', ...more }).end(body);
}

type SourceMore = Partial<Omit<CommonSettings, 'resources'>> & {
  readonly resources?: object;
  readonly kind?: SourceKind;
  readonly product?: string;
  readonly versions?: object;
};

/** A source at a test server, without a rate of its own; of signage where `more` names no kind. */
export function sourceAt(url: string, more: SourceMore = {}): Source {
  return sourceShape.parse({
    ...{ name: 'berlin', kind: 'signage', baseUrl: url, secret: 'signage/berlin' },
    ...{ concurrency: 8, requestsPerSecond: null, ...(more.kind === 'backup' && { accountId: '1042' }) },
    ...more,
  });
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
  const read = async () => (source.kind === 'signage' ? { apiKey: API_KEY } : { accessToken: API_KEY });
  const now = () => new Date('2026-11-21T03:00:00Z');
  const usual = { source, secrets: { read }, now, random: () => 0.5, timeLeft: () => 3_600_000, clock };
  const client = createApiClient({ ...usual, ...more });
  return { ...client, waits, [Symbol.asyncDispose]: () => client.close() };
}

export type Fetched = Awaited<ReturnType<typeof fetchAll>>;

/** Reads a listing to its end; `look` sees the records of each slice. */
export async function fetchAll(
  options: FetchListingOptions,
  look: (records: readonly unknown[]) => void = () => {},
) {
  const rows: RawRow[] = [];
  const records: unknown[] = [];
  const onRecords = (more: readonly unknown[]) => {
    look(more);
    records.push(...more);
  };
  const listing = fetchListing({ ...options, onRecords });
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
  {
    source: own,
    ...more
  }: { readonly source?: SourceMore; readonly parentId?: string } & Pick<
    FetchListingOptions,
    'contract' | 'siblings'
  > = {},
): Promise<Fetched> {
  const resource = resourceNamed(name);
  const source = sourceAt(url, { kind: resource.kind, ...own });
  await using client = clientOf(source);
  const parentId = resource.parent === null ? null : '7';
  return await fetchAll({ client, source, resource, parentId, ...more });
}

/** What a client makes of one call to a server that answers so, with the client's waits and what the server got. */
export async function askOnce(
  listener: RequestListener,
  {
    bounds = BOUNDS,
    source,
    ...more
  }: { readonly bounds?: typeof BOUNDS; readonly source?: SourceMore } & Partial<ApiClientOptions> = {},
) {
  await using server = await serve(listener);
  await using client = clientOf(sourceAt(server.url, source), more);
  const reply = await client.get(TARGET, bounds);
  return { reply, calls: server.calls, waits: client.waits, stats: client.stats() };
}
