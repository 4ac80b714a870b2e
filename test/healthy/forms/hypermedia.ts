import type { JsonObject } from '#simulator/json.ts';
import { named } from '../../support/named.ts';
import {
  CAMEL,
  type Form,
  type Listing,
  linkTo,
  listName,
  numbered,
  type Part,
  pathOf,
  type Said,
} from './form.ts';

const HAL = { ...CAMEL, type: 'application/hal+json' } as const;

const hrefs = (links: Readonly<Record<string, string | null>>): JsonObject =>
  Object.fromEntries(Object.entries(links).map(([rel, href]) => [rel, { href }]));

const embedded = (name: string, { rows }: Listing): JsonObject => ({ _embedded: { [name]: rows } });
const selfOf = (asked: Parameters<Form['answer']>[0]) => hrefs({ self: linkTo(asked, {}) });

function collectionModel(asked: Parameters<Form['answer']>[0]): Said {
  const name = `${listName(asked.table).replace(/s$/, '')}List`;
  return { body: { ...(asked.rows.length > 0 && embedded(name, asked)), _links: selfOf(asked) } };
}

/** The links of a HAL page but that to itself, of which the first and last are there where there are several pages. */
function neighbours({ number, isLast, previous, next, to, pages }: Part, first: number) {
  const isPaged = number > first || !isLast;
  return {
    before: { ...(isPaged && { first: to(first) }), ...(previous !== null && { prev: previous }) },
    behind: { ...(next !== null && { next }), ...(isPaged && { last: to(pages - 1 + first) }) },
  };
}

/** Lists with links, below the names that a specification gives. */
export const HYPERMEDIA: readonly Form[] = named<Omit<Form, 'name'>>({
  'HAL pages': {
    ...{ ...HAL, size: 20 },
    seenIn: 'Spring Data REST with exposed ids; links to the first and last page where there are several',
    record: (fields, { origin, root, id, table }) => {
      const self = `${origin}${root}/${listName(table)}/${id}`;
      return { ...fields, _links: hrefs({ self }) };
    },
    answer: numbered({ at: 'page', size: 'size', first: 0, isSized: true }, (part) => {
      const { before, behind } = neighbours(part, 0);
      return {
        body: {
          ...embedded(listName(part.table), part),
          _links: hrefs({ ...before, self: linkTo(part, {}), ...behind }),
          page: { size: part.size, totalElements: part.total, totalPages: part.counted, number: part.number },
        },
      };
    }),
    plain: (asked) => ({ body: { ...embedded(listName(asked.table), asked), _links: selfOf(asked) } }),
  },
  'HAL paged model': {
    ...{ ...HAL, size: 20 },
    seenIn: 'Spring HATEOAS PagedModel: without records there is no _embedded',
    answer: numbered({ at: 'page', size: 'size', first: 0, isSized: true }, (part) => {
      const { rows, size, total: totalElements, counted: totalPages, number } = part;
      const { before, behind } = neighbours(part, 0);
      const links = hrefs({ ...before, self: linkTo(part, {}), ...behind });
      const list = rows.length > 0 && embedded(`${listName(part.table)}List`, part);
      return { body: { ...list, _links: links, page: { size, totalElements, totalPages, number } } };
    }),
    plain: collectionModel,
  },
  'HAL collection': {
    ...{ ...HAL, size: null, answer: collectionModel, plain: collectionModel },
    seenIn: 'Spring HATEOAS CollectionModel: without records there is no _embedded',
  },
  'HAL items': {
    ...{ ...HAL, size: 30 },
    seenIn: 'API Platform as HAL: totalItems, and paths as links',
    record: (fields, { root, table, id }) => ({
      _links: hrefs({ self: `${root}/${listName(table, 'snake')}/${id}` }),
      ...fields,
    }),
    answer: numbered({ at: 'page', size: 'itemsPerPage' }, (part) => {
      const { rows, pages, size, total, previous, next, to } = part;
      const path = (address: string | null) => pathOf(part, address);
      return {
        body: {
          _links: {
            ...hrefs({
              self: path(linkTo(part, {})),
              ...(pages > 1 && { first: path(to(1)), last: path(to(pages)) }),
              ...(previous !== null && { prev: path(previous) }),
              ...(next !== null && { next: path(next) }),
            }),
            ...(rows.length > 0 && {
              item: rows.map((row) => (row['_links'] as JsonObject)['self'] ?? null),
            }),
          },
          totalItems: total,
          itemsPerPage: size,
          ...(rows.length > 0 && embedded('item', part)),
        },
      };
    }),
  },
  'JSON:API, links alone': {
    seenIn: 'Rails with jsonapi-resources: dashes in names, no total by default',
    spelling: 'kebab',
    absent: 'null',
    size: 10,
    hasRoom: true,
    type: 'application/vnd.api+json',
    idText: String,
    record: ({ id, ...attributes }, { origin, root, table, id: number }) => {
      const self = `${origin}${root}/${listName(table)}/${number}`;
      return { id: String(id ?? number), type: listName(table), links: { self }, attributes };
    },
    // A resource object has a type of its own.
    renames: { type: 'kind' },
    below: ['attributes'],
    answer: numbered({ at: 'page[number]', size: 'page[size]', isSized: true }, (part) => {
      const { rows, pages, previous, next, to } = part;
      const links = {
        first: to(1),
        ...(previous !== null && { prev: previous }),
        ...(next !== null && { next }),
        last: to(pages),
      };
      return { body: { data: rows, links, ...metaOf(part) } };
    }),
    plain: (asked) => ({ body: { data: asked.rows, ...metaOf(asked) } }),
  },
});

function metaOf({ facts }: Listing): JsonObject {
  return Object.keys(facts).length === 0 ? {} : { meta: facts };
}
