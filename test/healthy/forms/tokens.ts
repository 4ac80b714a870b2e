import { type Asked, type Form, linkTo, listName, pageOf, pathTo, type Said, tokenPart } from './form.ts';

/** The whole listing as a Relay connection. */
function connection(asked: Asked): Said {
  const { rows, from, next, total } = tokenPart(asked, { at: 'after', size: 'first' });
  const cursorOf = (index: number) => Buffer.from(`{"after":${index},"v":1}`).toString('base64url');
  const edges = rows.map((node, index) => ({ cursor: cursorOf(from + index + 1), node }));
  const pageInfo = {
    hasNextPage: next !== null,
    hasPreviousPage: from > 0,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { body: { data: { [listName(asked.table)]: { edges, pageInfo, totalCount: total } } } };
}

/** Tokens and addresses of the next part. */
export const TOKENS: readonly Form[] = [
  {
    name: 'nextPageToken',
    seenIn: 'Google APIs by AIP-158: the token is left out of the last page',
    spelling: 'camel',
    absent: 'omitted',
    size: 50,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: 'pageToken', size: 'pageSize' });
      return {
        body: {
          // An empty list is left out too, as proto3 does.
          ...(rows.length > 0 && { [listName(asked.table)]: [...rows] }),
          ...(next !== null && { nextPageToken: next }),
        },
      };
    },
    plain: ({ rows, table }) => ({ body: rows.length === 0 ? {} : { [listName(table)]: [...rows] } }),
  },
  {
    name: 'kind, etag, nextPageToken',
    seenIn: 'Google Workspace Admin and YouTube',
    spelling: 'camel',
    absent: 'omitted',
    size: 50,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: 'pageToken', size: 'maxResults' });
      return {
        body: {
          kind: `admin#${listName(asked.table)}`,
          etag: `"zX9k-${rows.length}q"`,
          ...(next !== null && { nextPageToken: next }),
          items: [...rows],
        },
      };
    },
    plain: ({ rows, table }) => ({
      body: { kind: `admin#${listName(table)}`, etag: '"zX9k-q"', items: [...rows] },
    }),
  },
  {
    name: 'nextToken',
    seenIn: 'AWS REST APIs such as MSK and Batch: null on the last page',
    spelling: 'camel',
    absent: 'omitted',
    size: 100,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: 'nextToken', size: 'maxResults' });
      return { body: { [listName(asked.table)]: [...rows], nextToken: next } };
    },
    plain: ({ rows, table }) => ({ body: { [listName(table)]: [...rows], nextToken: null } }),
  },
  {
    name: 'NextMarker',
    seenIn: 'AWS Lambda: Marker and MaxItems',
    spelling: 'pascal',
    absent: 'omitted',
    size: 50,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: 'Marker', size: 'MaxItems' });
      return { body: { NextMarker: next, [listName(asked.table, 'pascal')]: [...rows] } };
    },
    plain: ({ rows, table }) => ({ body: { NextMarker: null, [listName(table, 'pascal')]: [...rows] } }),
  },
  {
    name: 'GraphQL edges',
    seenIn: 'Relay connections behind GET routes: Hasura Relay, persisted queries of Apollo Server',
    spelling: 'camel',
    absent: 'null',
    size: 50,
    below: ['node'],
    answer: connection,
    plain: (asked) => connection({ ...asked, size: Math.max(asked.rows.length, 1) }),
  },
  {
    name: 'next_page, previous_page, count',
    seenIn: 'Zendesk: a list by its own name, with the addresses of the pages',
    spelling: 'snake',
    absent: 'null',
    size: 100,
    answer: (asked) => {
      const { rows, number, total, isLast } = pageOf(asked, { at: 'page', size: 'per_page' });
      return {
        body: {
          [listName(asked.table, 'snake')]: [...rows],
          next_page: isLast ? null : linkTo(asked, { page: number + 1 }),
          previous_page: number > 1 ? linkTo(asked, { page: number - 1 }) : null,
          count: total,
        },
      };
    },
  },
  {
    name: 'next_page_uri',
    seenIn: 'Twilio: paths of the pages, numbered from 0',
    spelling: 'snake',
    absent: 'null',
    size: 50,
    answer: (asked) => {
      const { rows, from, number, size, isLast } = pageOf(asked, { at: 'Page', size: 'PageSize', first: 0 });
      const to = (page: number) => pathTo(asked, { Page: page, PageSize: size });
      return {
        body: {
          first_page_uri: to(0),
          end: Math.max(0, from + rows.length - 1),
          [listName(asked.table, 'snake')]: [...rows],
          previous_page_uri: number > 0 ? to(number - 1) : null,
          uri: to(number),
          page_size: size,
          start: from,
          next_page_uri: isLast ? null : to(number + 1),
          page: number,
        },
      };
    },
  },
  {
    name: 'links.next',
    seenIn: 'Microsoft REST guidelines, Fastify and Go APIs: the address of the next part alone',
    spelling: 'camel',
    absent: 'omitted',
    size: 50,
    hasRoom: true,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: 'cursor', size: 'limit' });
      return {
        body: {
          ...asked.facts,
          items: [...rows],
          ...(next !== null && { next: linkTo(asked, { cursor: next }) }),
        },
      };
    },
    plain: ({ rows, facts }) => ({ body: { ...facts, items: [...rows] } }),
  },
];
