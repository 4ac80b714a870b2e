import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import type { Form, Said } from './forms/form.ts';
import { bare } from './forms/form.ts';
import { FORMS, PAGED } from './forms/table.ts';
import { idOf } from './serve-life.ts';
import { spelled } from './truth.ts';

const ORIGIN = 'http://127.0.0.1:1';
const ROOT = '/gv2/webservices/API/v1.12';
const PATH = `${ROOT}/Players`;
const COUNT = 23;
const SIZE = 5;

const labelOf = (id: number) => `Label ${id}.`;

function answerOf(form: Form, url: string, { count = COUNT, isPlain = false } = {}): Said {
  const asked = { table: 'players', origin: ORIGIN, path: PATH, root: ROOT };
  const rows = Array.from({ length: count }, (_, index): JsonObject => {
    const fields = { [spelled('id', form.spelling)]: idOf(form, index + 1), label: labelOf(index + 1) };
    return form.record?.(fields, { ...asked, id: index + 1 }) ?? fields;
  });
  const keys = rows.map((_, index) => `${index + 1}`);
  const query = new URL(url, ORIGIN).searchParams;
  const answer = isPlain ? (form.plain ?? bare) : form.answer;
  return answer({ ...asked, rows, keys, query, size: form.size === null ? count : SIZE, facts: {} });
}

const labelsIn = ({ body }: Said) => [...JSON.stringify(body).matchAll(/Label \d+\./g)].map(String);

/** Where an answer has the address of the next part. */
function addressIn({ body, headers }: Said): string | null {
  const link = /<([^>]+)>; rel="next"/.exec(headers?.['link'] ?? '')?.[1];
  const at = (...keys: readonly string[]) =>
    keys.reduce<unknown>((value, key) => (value as JsonObject | null | undefined)?.[key], body);
  const places = [
    ['next'],
    ['links', 'next'],
    ['_links', 'next', 'href'],
    ['@odata.nextLink'],
    ['d', '__next'],
    ['next_page_url'],
    ['nextPage'],
    ['next_page'],
    ['next_page_uri'],
  ];
  const found = [link, ...places.map((keys) => at(...keys))].find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
}

/** What a person would ask with, of the forms whose answers have no address of the next part. */
const ASKED: Readonly<Record<string, (page: number, last: Said) => string | null>> = {
  'X-Pagination header': (page) => `pageNumber=${page + 1}`,
  'continuation header': (_, { headers }) => token('continuationToken', headers?.['x-ms-continuationtoken']),
  'FastAPI, pages': (page) => `page=${page + 1}`,
  'FastAPI, limit and offset': (page) => `offset=${page * SIZE}`,
  'FastAPI, cursor': (_, { body }) => token('cursor', (body as JsonObject)['next_page']),
  'FastAPI, skip and limit': (page) => `skip=${page * SIZE}`,
  'FastAPI, skip and limit with a count': (page) => `skip=${page * SIZE}`,
  'Spring Page': (page) => `page=${page}`,
  'Spring PagedModel': (page) => `page=${page}`,
  'Spring Slice': (page) => `page=${page}`,
  PaginatedList: (page) => `pageNumber=${page + 1}`,
  'page, pageSize, totalPages': (page) => `page=${page + 1}`,
  'Strapi 5': (page) => `pagination[page]=${page + 1}`,
  'has_more and quota': (page) => `page=${page + 1}`,
  'offset, limit, total_count': (page) => `offset=${page * SIZE}`,
  '$skip, $limit, total': (page) => `$skip=${page * SIZE}`,
  nextPageToken: (_, { body }) => token('pageToken', (body as JsonObject)['nextPageToken']),
  'kind, etag, nextPageToken': (_, { body }) => token('pageToken', (body as JsonObject)['nextPageToken']),
  nextToken: (_, { body }) => token('nextToken', (body as JsonObject)['nextToken']),
  NextMarker: (_, { body }) => token('Marker', (body as JsonObject)['NextMarker']),
  'GraphQL edges': (_, { body }) => {
    const { players } = (body as { readonly data: { readonly players: { readonly pageInfo: JsonObject } } })
      .data;
    return players.pageInfo['hasNextPage'] === true ? token('after', players.pageInfo['endCursor']) : null;
  },
};

function token(name: string, value: unknown): string | null {
  return typeof value === 'string' ? `${name}=${value}` : null;
}

/** The parts of a listing, as a person who knows the form asks for them. */
function partsOf(form: Form): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let url: string | null = PATH; url !== null && parts.length < 9; ) {
    const said = answerOf(form, url);
    const labels = labelsIn(said);
    if (labels.length === 0) break;
    parts.push(labels);
    const ask = ASKED[form.name];
    const query = ask?.(parts.length, said) ?? null;
    const address = addressIn(said);
    // Eve's address is relative to the root of its API.
    if (ask !== undefined) url = query === null ? null : `${PATH}?${query}`;
    else url = address === null ? null : new URL(address, `${ORIGIN}${ROOT}/`).href;
  }
  return parts;
}

const ALL = Array.from({ length: COUNT }, (_, index) => labelOf(index + 1));

describe('the forms of the healthy world', () => {
  it.each(PAGED.filter(({ size }) => size !== null).map((form) => [form.name, form] as const))(
    '%s gives each record once in parts of five',
    (_, form) => {
      const parts = partsOf(form);
      expect(parts.flat()).toEqual(ALL);
      expect(parts.map((part) => part.length)).toEqual([5, 5, 5, 5, 3]);
    },
  );

  it.each(FORMS.map((form) => [form.name, form] as const))(
    '%s gives all records at once where it is not paged',
    (_, form) => {
      expect(labelsIn(answerOf(form, PATH, { isPlain: true }))).toEqual(ALL);
      expect(labelsIn(answerOf(form, PATH, { isPlain: true, count: 0 }))).toEqual([]);
    },
  );

  it('have names of their own, and each says who answers so', () => {
    expect(new Set(FORMS.map(({ name }) => name)).size).toBe(FORMS.length);
    expect(FORMS.filter(({ seenIn }) => seenIn.length < 5)).toEqual([]);
  });
});
