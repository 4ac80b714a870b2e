import { named } from '../../support/named.ts';
import {
  type Asked,
  bare,
  CAMEL,
  CAMEL_SHORT,
  type Form,
  listed,
  listName,
  PASCAL_SHORT,
  type Said,
  SNAKE,
} from './form.ts';

const ALL = { size: null } as const;

/** Lists without anything around them. */
const BARE: readonly Form[] = named<Omit<Form, 'name'>>({
  bare: {
    ...{ ...ALL, ...PASCAL_SHORT, answer: bare },
    seenIn: 'the signage platform itself: ASP.NET Web API 2',
    single: (body) => ({ body }),
  },
  'bare, camelCase': {
    ...{ ...ALL, ...CAMEL, answer: bare },
    seenIn: 'Express res.json(list), ASP.NET Core controllers',
  },
  'bare, snake_case': {
    ...{ ...ALL, ...SNAKE, answer: bare },
    seenIn: 'Rails render json, Flask jsonify, Django REST Framework without pagination',
  },
  'bare, unknown parameters refused': {
    ...{ ...ALL, ...CAMEL },
    seenIn: 'NestJS with ValidationPipe({ forbidNonWhitelisted: true })',
    answer: (asked) => refusedUnknown([...asked.query.keys()]) ?? bare(asked),
  },
  'keyed map': {
    ...{ ...ALL, ...SNAKE, answer: keyed, plain: keyed },
    seenIn: "PHP: json_encode of Laravel's keyBy('id'); an empty one is []",
    // One entry cannot be told from an object.
    least: 2,
  },
});

function keyed({ rows, keys }: Asked): Said {
  return {
    body: rows.length === 0 ? [] : Object.fromEntries(rows.map((row, index) => [keys[index] ?? '', row])),
  };
}

function refusedUnknown(names: readonly string[]): Said | undefined {
  const unknown = names.filter((name) => name !== 'account_id');
  if (unknown.length === 0) return undefined;
  const message = unknown.map((name) => `property ${name} should not exist`);
  return { status: 400, body: { statusCode: 400, message, error: 'Bad Request' } };
}

/** With room for other members. */
const OWN = { ...ALL, hasRoom: true } as const;
const success = listed<Asked>('data', () => ({ result: 'success' }));
const BACKUP = {
  ...{ ...ALL, ...SNAKE, plain: success },
  single: (data) => ({ body: { result: 'success', data } }),
} as const satisfies Partial<Form>;

/** All records at once, in an envelope. */
const ENVELOPES: readonly Form[] = named<Omit<Form, 'name'>>({
  '{result, data}': { ...BACKUP, seenIn: 'the backup service itself', answer: success },
  '{result, data}, paged where asked': {
    ...BACKUP,
    seenIn: 'the backup service itself: paging members come with the parameter page alone',
    answer: (asked) => {
      const { rows, query } = asked;
      const page = Number(query.get('page') ?? 0);
      if (!(page > 0)) return success(asked);
      const size = Number(query.get('per_page') ?? 10) || 10;
      return {
        body: {
          result: 'success',
          data: rows.slice((page - 1) * size, page * size),
          total: rows.length,
          page,
          pages: Math.max(1, Math.ceil(rows.length / size)),
          items_per_page: size,
        },
      };
    },
  },
  '{success, data}': {
    ...{ ...OWN, ...CAMEL },
    seenIn: 'Express and Laravel APIs by hand: res.json({ success: true, data })',
    answer: listed('data', () => ({ success: true })),
  },
  '{success, count, data}': {
    ...{ ...OWN, ...CAMEL },
    seenIn: 'Express APIs by hand: res.json({ success: true, count: data.length, data })',
    answer: listed('data', ({ rows }) => ({ success: true, count: rows.length })),
  },
  '{statusCode, message, data}': {
    ...{ ...OWN, ...CAMEL },
    seenIn: 'NestJS with a response interceptor',
    answer: listed('data', ({ table }) => ({
      ...{ statusCode: 200, message: `${listName(table, 'pascal')} retrieved successfully` },
    })),
  },
  JSend: {
    ...{ ...OWN, ...SNAKE },
    seenIn: 'the JSend specification: status and data with one named list',
    answer: ({ rows, table, facts }) => ({
      body: { ...facts, status: 'success', data: { [listName(table, 'snake')]: rows } },
    }),
  },
  '{Succeeded, Data, Errors, Message}': {
    ...{ ...OWN, ...PASCAL_SHORT },
    seenIn: 'ASP.NET Core with a Response<T> wrapper',
    answer: listed('Data', () => ({ Succeeded: true, Errors: null, Message: null })),
  },
  '{Items}': {
    ...{ ...OWN, ...PASCAL_SHORT },
    seenIn: 'ASP.NET and older vendor APIs',
    answer: listed('Items'),
  },
  '{items, total}': {
    ...{ ...OWN, ...CAMEL_SHORT },
    seenIn: 'Spring and Go APIs by hand, with the number of what they list',
    answer: listed('items', ({ rows }) => ({ total: rows.length })),
  },
  '{value}': {
    ...{ ...OWN, ...CAMEL_SHORT },
    seenIn: 'Azure Resource Manager, which names nextLink only where there is one',
    answer: listed('value'),
  },
  '{players}': {
    ...{ ...OWN, ...SNAKE },
    seenIn: 'Rails with a root key, Hasura REST endpoints, Go APIs',
    answer: listed(({ table }) => listName(table, 'snake')),
  },
  '{clients, totalCount, success}': {
    ...{ ...OWN, ...CAMEL_SHORT },
    seenIn: "the signage vendor's newer API",
    answer: listed(
      ({ table }) => listName(table),
      ({ rows }) => ({
        totalCount: rows.length,
        success: { ok: true, notFound: null, correlationToken: 'b2f8d3aa-11' },
      }),
    ),
  },
  '{data, meta}': {
    ...{ ...OWN, ...CAMEL },
    seenIn: 'Stoplight and Fastify style guides: data, and a meta object for the rest',
    answer: ({ rows, facts }) => ({ body: { data: rows, meta: facts } }),
  },
});

/** Forms that give all at once, without anything around the records or in an envelope. */
export const PLAIN: readonly Form[] = [
  ...BARE,
  ...ENVELOPES.map((form) => ({ plain: form.answer, ...form })),
];
