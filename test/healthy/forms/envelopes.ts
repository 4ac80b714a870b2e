import type { Json } from '#simulator/json.ts';
import { type Asked, type Form, listName, type Said } from './form.ts';

/** An envelope whose list has a name, and that has room for other members before or behind it. */
function around(
  name: (asked: Asked) => string,
  more: (asked: Asked) => Readonly<Record<string, Json>> = () => ({}),
) {
  return (asked: Asked): Said => ({
    body: { ...asked.facts, ...more(asked), [name(asked)]: [...asked.rows] },
  });
}

const resultData = around(
  () => 'data',
  () => ({ result: 'success' }),
);
const OWN = { size: null, hasRoom: true } as const;

const FORMS: readonly Form[] = [
  {
    name: '{result, data}',
    seenIn: 'the backup service itself',
    spelling: 'snake',
    absent: 'null',
    size: null,
    answer: resultData,
    plain: resultData,
    single: (data) => ({ body: { result: 'success', data } }),
  },
  {
    name: '{result, data}, paged where asked',
    seenIn: 'the backup service itself: paging members come with the parameter page alone',
    spelling: 'snake',
    absent: 'null',
    size: null,
    answer: (asked) => {
      const { rows, query } = asked;
      const page = Number(query.get('page') ?? 0);
      if (!(page > 0)) return resultData(asked);
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
    plain: resultData,
    single: (data) => ({ body: { result: 'success', data } }),
  },
  {
    ...OWN,
    name: '{success, data}',
    seenIn: 'Express and Laravel APIs by hand: res.json({ success: true, data })',
    spelling: 'camel',
    absent: 'null',
    answer: around(
      () => 'data',
      () => ({ success: true }),
    ),
  },
  {
    ...OWN,
    name: '{success, count, data}',
    seenIn: 'Express APIs by hand: res.json({ success: true, count: data.length, data })',
    spelling: 'camel',
    absent: 'null',
    answer: around(
      () => 'data',
      ({ rows }) => ({ success: true, count: rows.length }),
    ),
  },
  {
    ...OWN,
    name: '{statusCode, message, data}',
    seenIn: 'NestJS with a response interceptor',
    spelling: 'camel',
    absent: 'null',
    answer: around(
      () => 'data',
      ({ table }) => ({ statusCode: 200, message: `${listName(table, 'pascal')} retrieved successfully` }),
    ),
  },
  {
    ...OWN,
    name: 'JSend',
    seenIn: 'the JSend specification: status and data with one named list',
    spelling: 'snake',
    absent: 'null',
    answer: ({ rows, table, facts }) => ({
      body: { ...facts, status: 'success', data: { [listName(table, 'snake')]: [...rows] } },
    }),
  },
  {
    ...OWN,
    name: '{Succeeded, Data, Errors, Message}',
    seenIn: 'ASP.NET Core with a Response<T> wrapper',
    spelling: 'pascal',
    absent: 'omitted',
    answer: around(
      () => 'Data',
      () => ({ Succeeded: true, Errors: null, Message: null }),
    ),
  },
  {
    ...OWN,
    name: '{Items}',
    seenIn: 'ASP.NET and older vendor APIs',
    spelling: 'pascal',
    absent: 'omitted',
    answer: around(() => 'Items'),
  },
  {
    ...OWN,
    name: '{items, total}',
    seenIn: 'Spring and Go APIs by hand, with the number of what they list',
    spelling: 'camel',
    absent: 'omitted',
    answer: around(
      () => 'items',
      ({ rows }) => ({ total: rows.length }),
    ),
  },
  {
    ...OWN,
    name: '{value}',
    seenIn: 'Azure Resource Manager, which names nextLink only where there is one',
    spelling: 'camel',
    absent: 'omitted',
    answer: around(() => 'value'),
  },
  {
    ...OWN,
    name: '{players}',
    seenIn: 'Rails with a root key, Hasura REST endpoints, Go APIs',
    spelling: 'snake',
    absent: 'null',
    answer: around(({ table }) => listName(table, 'snake')),
  },
  {
    ...OWN,
    name: '{clients, totalCount, success}',
    seenIn: "the signage vendor's newer API",
    spelling: 'camel',
    absent: 'omitted',
    answer: around(
      ({ table }) => listName(table),
      ({ rows }) => ({
        totalCount: rows.length,
        success: { ok: true, notFound: null, correlationToken: 'b2f8d3aa-11' },
      }),
    ),
  },
  {
    ...OWN,
    name: '{data, meta}',
    seenIn: 'Stoplight and Fastify style guides: data, and a meta object for the rest',
    spelling: 'camel',
    absent: 'null',
    answer: ({ rows, facts }) => ({ body: { data: [...rows], meta: { ...facts } } }),
  },
];

/** All records at once, in an envelope. */
export const ENVELOPES: readonly Form[] = FORMS.map((form) => ({ plain: form.answer, ...form }));
