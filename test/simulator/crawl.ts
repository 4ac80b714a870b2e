import type { Json, JsonObject } from '#simulator/json.ts';
import type { ServedResource } from '#simulator/kind.ts';
import type { Simulator } from '#simulator/server.ts';
import { call, SIGNAGE } from './client.ts';

const PATHS: Readonly<Record<ServedResource, string>> = {
  app_groups: `${SIGNAGE}/AppGroups`,
  licenses: `${SIGNAGE}/Licenses`,
  players: `${SIGNAGE}/Players`,
  screens: `${SIGNAGE}/Players/{id}/Screens`,
  pending_file_transfers: `${SIGNAGE}/Players/{id}/PendingFileTransfers`,
  backup_pricing: '/1/backup/pricing',
  backup_storages: '/1/backup',
  backup_slots: '/0/backup/{id}/slot',
};

export function pathOf(resource: ServedResource, parent = ''): string {
  const path = PATHS[resource].replace('{id}', encodeURIComponent(parent));
  return path.startsWith('/gv2/') ? path : `${path}?account_id=1042`;
}

export interface Crawled {
  readonly records: readonly JsonObject[];
  readonly pages: number;
}

/** Goes through all pages of a listing, by whatever the answer has to say about further ones; 100 at most. */
export async function crawl(simulator: Simulator, path: string): Promise<Crawled> {
  const records: JsonObject[] = [];
  let next: string | undefined = path;
  let pages = 0;
  while (next !== undefined && pages < 100) {
    const answer = await call(simulator, next);
    if (answer.status !== 200) throw new Error(`${next}: ${answer.status} ${await answer.text()}`);
    const body = JSON.parse((await answer.text()).replace(/^\ufeff/, '')) as Json;
    const rows = rowsOf(body);
    records.push(...rows);
    pages++;
    next = nextOf(simulator, next, body, answer.headers.get('link'), rows.length);
  }
  return { records, pages };
}

function rowsOf(body: Json): readonly JsonObject[] {
  if (Array.isArray(body)) return body as JsonObject[];
  const object = body as JsonObject;
  const inner = (object.d as JsonObject | undefined) ?? object;
  const list = Object.values(inner).find((value) => Array.isArray(value) && !isPriceList(inner));
  if (list !== undefined) return list as unknown as JsonObject[];
  const single = (object.result === 'success' ? object.data : object) as JsonObject;
  return isPriceList(single) ? [single] : (Object.values(single) as JsonObject[]);
}

function isPriceList(object: JsonObject): boolean {
  return Object.keys(object).some((key) => /^plans$/i.test(key));
}

function nextOf(
  simulator: Simulator,
  path: string,
  body: Json,
  link: string | null,
  rows: number,
): string | undefined {
  const url = new URL(path, simulator.url);
  const follow = (reference: string) => {
    const { pathname, search } = new URL(reference, url);
    return pathname + search;
  };
  const withParameter = (key: string, value: Json | undefined) => {
    url.searchParams.set(key, String(value));
    return url.pathname + url.search;
  };
  const linked = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  if (linked !== undefined) return follow(linked);
  const said = ((body as JsonObject).d ?? body) as JsonObject;
  const href = said['@odata.nextLink'] ?? said.next;
  if (typeof href === 'string') return follow(href);
  if (said.hasMore === true) return withParameter('cursor', said.cursor);
  if (said.isTruncated === true) return withParameter('marker', said.nextMarker);
  const pages = said.pages ?? said.totalPages;
  if (pages !== undefined)
    return Number(said.page) < Number(pages) ? withParameter('page', Number(said.page) + 1) : undefined;
  const key = 'skip' in said ? 'skip' : 'offset';
  const reached = Number(said[key]) + rows;
  return key in said && reached < Number(said.total) ? withParameter(key, reached) : undefined;
}
