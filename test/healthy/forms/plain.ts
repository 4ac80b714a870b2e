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
const BARE: readonly Form[] = [
  {
    ...{ ...ALL, ...PASCAL_SHORT, answer: bare },
    name: 'bare',
    seenIn: 'the signage platform itself: ASP.NET Web API 2',
    single: (body) => ({ body }),
  },
  {
    ...{ ...ALL, ...CAMEL, answer: bare },
    name: 'bare, camelCase',
    seenIn: 'Express res.json(list), ASP.NET Core controllers',
  },
  {
    ...{ ...ALL, ...SNAKE, answer: bare },
    name: 'bare, snake_case',
    seenIn: 'Rails render json, Flask jsonify, Django REST Framework without pagination',
  },
  {
    ...{ ...ALL, ...CAMEL },
    name: 'bare, unknown parameters refused',
    seenIn: 'NestJS with ValidationPipe({ forbidNonWhitelisted: true })',
    answer: (asked) => refusedUnknown([...asked.query.keys()]) ?? bare(asked),
  },
  {
    ...{ ...ALL, ...SNAKE, answer: keyed, plain: keyed },
    name: 'keyed map',
    seenIn: "PHP: json_encode of Laravel's keyBy('id'); an empty one is []",
    // One entry cannot be told from an object.
    least: 2,
  },
];

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
const ENVELOPES: readonly Form[] = [
  { ...BACKUP, name: '{result, data}', seenIn: 'the backup service itself', answer: success },
  {
    ...BACKUP,
    name: '{result, data}, paged where asked',
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
  {
    ...{ ...OWN, ...CAMEL },
    name: '{success, data}',
    seenIn: 'Express and Laravel APIs by hand: res.json({ success: true, data })',
    answer: listed('data', () => ({ success: true })),
  },
  {
    ...{ ...OWN, ...CAMEL },
    name: '{success, count, data}',
    seenIn: 'Express APIs by hand: res.json({ success: true, count: data.length, data })',
    answer: listed('data', ({ rows }) => ({ success: true, count: rows.length })),
  },
  {
    ...{ ...OWN, ...CAMEL },
    name: '{statusCode, message, data}',
    seenIn: 'NestJS with a response interceptor',
    answer: listed('data', ({ table }) => ({
      ...{ statusCode: 200, message: `${listName(table, 'pascal')} retrieved successfully` },
    })),
  },
  {
    ...{ ...OWN, ...SNAKE },
    name: 'JSend',
    seenIn: 'the JSend specification: status and data with one named list',
    answer: ({ rows, table, facts }) => ({
      body: { ...facts, status: 'success', data: { [listName(table, 'snake')]: rows } },
    }),
  },
  {
    ...{ ...OWN, ...PASCAL_SHORT },
    name: '{Succeeded, Data, Errors, Message}',
    seenIn: 'ASP.NET Core with a Response<T> wrapper',
    answer: listed('Data', () => ({ Succeeded: true, Errors: null, Message: null })),
  },
  {
    ...{ ...OWN, ...PASCAL_SHORT },
    name: '{Items}',
    seenIn: 'ASP.NET and older vendor APIs',
    answer: listed('Items'),
  },
  {
    ...{ ...OWN, ...CAMEL_SHORT },
    name: '{items, total}',
    seenIn: 'Spring and Go APIs by hand, with the number of what they list',
    answer: listed('items', ({ rows }) => ({ total: rows.length })),
  },
  {
    ...{ ...OWN, ...CAMEL_SHORT },
    name: '{value}',
    seenIn: 'Azure Resource Manager, which names nextLink only where there is one',
    answer: listed('value'),
  },
  {
    ...{ ...OWN, ...SNAKE },
    name: '{players}',
    seenIn: 'Rails with a root key, Hasura REST endpoints, Go APIs',
    answer: listed(({ table }) => listName(table, 'snake')),
  },
  {
    ...{ ...OWN, ...CAMEL_SHORT },
    name: '{clients, totalCount, success}',
    seenIn: "the signage vendor's newer API",
    answer: listed(
      ({ table }) => listName(table),
      ({ rows }) => ({
        totalCount: rows.length,
        success: { ok: true, notFound: null, correlationToken: 'b2f8d3aa-11' },
      }),
    ),
  },
  {
    ...{ ...OWN, ...CAMEL },
    name: '{data, meta}',
    seenIn: 'Stoplight and Fastify style guides: data, and a meta object for the rest',
    answer: ({ rows, facts }) => ({ body: { data: rows, meta: facts } }),
  },
];

/** Forms that give all at once, without anything around the records or in an envelope. */
export const PLAIN: readonly Form[] = [
  ...BARE,
  ...ENVELOPES.map((form) => ({ plain: form.answer, ...form })),
];
