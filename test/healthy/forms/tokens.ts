import { named } from '../../support/named.ts';
import {
  type Asked,
  CAMEL,
  CAMEL_SHORT,
  type Form,
  type Listing,
  linkTo,
  listed,
  listName,
  PASCAL_SHORT,
  parted,
  SNAKE,
  tokened,
} from './form.ts';

const ODATA = { type: 'application/json;odata.metadata=minimal;odata.streaming=true', size: 100 } as const;
const VERSION = { headers: { 'odata-version': '4.0' } };

const own = ({ table }: Listing) => listName(table);
const context = ({ origin, root, table }: Asked) => ({
  '@odata.context': `${origin}${root}/$metadata#${listName(table, 'pascal')}`,
});
const nextLink = ({ next }: { readonly next: string | null }) =>
  next === null ? {} : { '@odata.nextLink': next };

/** The whole listing as a Relay connection. */
const connection = tokened({ at: 'after', size: 'first' }, ({ rows, table, from, token, total }) => {
  const cursorOf = (index: number) => Buffer.from(`{"after":${index},"v":1}`).toString('base64url');
  const edges = rows.map((node, index) => ({ cursor: cursorOf(from + index + 1), node }));
  const pageInfo = {
    hasNextPage: token !== null,
    hasPreviousPage: from > 0,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { body: { data: { [listName(table)]: { edges, pageInfo, totalCount: total } } } };
});

/** Tokens, offsets, and addresses of the next part. */
export const TOKENS: readonly Form[] = named<Omit<Form, 'name'>>({
  nextPageToken: {
    ...{ ...CAMEL_SHORT, size: 50 },
    seenIn: 'Google APIs by AIP-158: the token is left out of the last page',
    answer: tokened({ at: 'pageToken', size: 'pageSize' }, ({ rows, table, token }) => ({
      body: {
        // An empty list is left out too, as proto3 does.
        ...(rows.length > 0 && { [listName(table)]: rows }),
        ...(token !== null && { nextPageToken: token }),
      },
    })),
    plain: ({ rows, table }) => ({ body: rows.length === 0 ? {} : { [listName(table)]: rows } }),
  },
  nextToken: {
    ...{ ...CAMEL_SHORT, size: 100 },
    seenIn: 'AWS REST APIs such as MSK and Batch: null on the last page',
    answer: tokened({ at: 'nextToken', size: 'maxResults' }, ({ rows, table, token }) => ({
      body: { [listName(table)]: rows, nextToken: token },
    })),
    plain: listed(own, undefined, () => ({ nextToken: null })),
  },
  NextMarker: {
    ...{ ...PASCAL_SHORT, size: 50 },
    seenIn: 'AWS Lambda: Marker and MaxItems',
    answer: tokened({ at: 'Marker', size: 'MaxItems' }, ({ rows, table, token }) => ({
      body: { NextMarker: token, [listName(table, 'pascal')]: rows },
    })),
    plain: listed(
      ({ table }) => listName(table, 'pascal'),
      () => ({ NextMarker: null }),
    ),
  },
  'GraphQL edges': {
    ...{ ...CAMEL, size: 50, below: ['node'], answer: connection },
    seenIn: 'Relay connections behind GET routes: Hasura Relay, persisted queries of Apollo Server',
    plain: (asked) => connection({ ...asked, size: Math.max(asked.rows.length, 1) }),
  },
  'links.next': {
    ...{ ...CAMEL_SHORT, size: 50, hasRoom: true },
    seenIn: 'Microsoft REST guidelines, Fastify and Go APIs: the address of the next part alone',
    answer: tokened({ at: 'cursor', size: 'limit' }, ({ rows, facts, next }) => ({
      body: { ...facts, items: rows, ...(next !== null && { next }) },
    })),
    plain: listed('items'),
  },
  'FastAPI, cursor': {
    ...{ ...SNAKE, size: 50 },
    seenIn: 'fastapi-pagination CursorPage',
    answer: tokened({ at: 'cursor', size: 'size' }, ({ rows, from, token }) => {
      const cursor = (text: string) => Buffer.from(text).toString('base64');
      return {
        body: {
          ...{ items: rows, total: null, current_page: cursor(`>${from}`) },
          current_page_backwards: cursor(`<${from + rows.length}`),
          ...{ previous_page: from > 0 ? cursor(`<${from}`) : null, next_page: token },
        },
      };
    }),
  },
  'OData v4, $skip': {
    ...{ ...ODATA, spelling: 'pascal', absent: 'null' },
    seenIn: 'ASP.NET Core OData with a PageSize',
    answer: parted({ at: '$skip', size: '$top' }, (part) => ({
      body: { ...context(part), value: part.rows, ...nextLink(part) },
      ...VERSION,
    })),
    plain: (asked) => ({ body: { ...context(asked), value: asked.rows }, ...VERSION }),
  },
  'OData v4, $skiptoken': {
    ...{ ...ODATA, ...CAMEL },
    seenIn: 'Microsoft Graph',
    answer: tokened({ at: '$skiptoken', size: '$top' }, (part) => ({
      body: { ...context(part), ...nextLink(part), value: part.rows },
    })),
    plain: listed('value', context),
  },
  'OData v2': {
    ...{ ...ODATA, spelling: 'pascal', absent: 'null' },
    seenIn: 'SharePoint and SAP Gateway: d.results and __next',
    type: 'application/json;odata=verbose;charset=utf-8',
    record: (fields, { origin, root, table, id }) => {
      const uri = `${origin}${root}/${listName(table, 'pascal')}(${id})`;
      return { __metadata: { id: uri, uri, type: `Signage.${listName(table, 'pascal')}` }, ...fields };
    },
    answer: tokened({ at: '$skiptoken', size: '$top' }, ({ rows, next }) => ({
      body: { d: { results: rows, ...(next !== null && { __next: next }) } },
    })),
    plain: ({ rows }) => ({ body: { d: { results: rows } } }),
  },
  'offset, limit, total_count': {
    ...{ ...SNAKE, size: 25 },
    seenIn: 'Redmine: a list by its own name',
    answer: parted({ at: 'offset', size: 'limit' }, ({ rows, table, from, size, total }) => ({
      body: { [listName(table, 'snake')]: rows, total_count: total, offset: from, limit: size },
    })),
    plain: listed(({ table }) => listName(table, 'snake')),
  },
  'href, next, limit, offset, total': {
    ...{ ...CAMEL, size: 20 },
    seenIn: 'Spotify: items with the addresses of the pages',
    answer: parted(
      { at: 'offset', size: 'limit', isSized: true },
      ({ rows, from, size, total, to, next, previous }) => ({
        body: { href: to(from), limit: size, next, offset: from, previous, total, items: rows },
      }),
    ),
  },
  'startAt, maxResults, total, isLast': {
    ...{ ...CAMEL, size: 50 },
    seenIn: 'Jira: the address of the next page, while there is one',
    answer: parted({ at: 'startAt', size: 'maxResults', isSized: true }, (part) => ({
      body: {
        self: linkTo(part, {}),
        ...(part.next !== null && { nextPage: part.next }),
        ...{ maxResults: part.size, startAt: part.from, total: part.total, isLast: part.isLast },
        values: part.rows,
      },
    })),
  },
  'FastAPI, skip and limit with a count': {
    ...{ ...SNAKE, size: 100 },
    seenIn: "FastAPI's full-stack template: {data, count}, cut at 100",
    answer: parted({ at: 'skip', size: 'limit' }, ({ rows, total }) => ({
      body: { data: rows, count: total },
    })),
    plain: listed('data', undefined, ({ rows }) => ({ count: rows.length })),
  },
});
