import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ListingEnd } from '#lib/api/listing.ts';
import { type Fetched, fetchFrom, json, serve } from './serve.ts';

export interface Asked {
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The body of a call; null also where it has written the response itself. */
export type Answer = (asked: Asked) => unknown;

/** Reads players from a server that answers so. `urls` are the calls, each from behind its path. */
export async function fetchPages(
  answer: Answer,
  settings: Readonly<Record<string, unknown>> = {},
  contract?: ListingEnd['contract'],
): Promise<Fetched & { readonly urls: readonly string[] }> {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const text = JSON.stringify(answer({ query, request, response }));
    if (!response.headersSent) json(response, text);
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  const fetched = await fetchFrom(server.url, 'players', {
    source: { resources: { players } },
    ...(contract && { contract }),
  });
  const urls = server.calls.map(({ url }) => decodeURIComponent(url?.split('Players')[1] ?? ''));
  return { ...fetched, urls };
}

export const record = (id: number) => ({ Id: id, Name: `Player ${id}`, LastAccess: '2026-11-21T03:00:00Z' });
export const records = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => record(from + index));

/** A page of `size` from `from` on, of `count` records in all. */
export const slice = (from: number, size: number, count: number) =>
  records(from, Math.min(from + size, count));
export const number = (query: URLSearchParams, key: string, fallback: number) =>
  Number(query.get(key) ?? fallback);
