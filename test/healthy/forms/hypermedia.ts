import type { JsonObject } from '#simulator/json.ts';
import { type Asked, type Form, linkTo, listName, pageOf, pathTo, type Said } from './form.ts';

const HAL = 'application/hal+json';
const JSON_API = 'application/vnd.api+json';

const hrefs = (links: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(links).map(([rel, href]) => [rel, { href }]));

function springEmbedded(asked: Asked): JsonObject {
  return { _embedded: { [listName(asked.table)]: [...asked.rows] } };
}

function collectionModel(asked: Asked): Said {
  const name = `${listName(asked.table).replace(/s$/, '')}List`;
  return {
    body: {
      ...(asked.rows.length > 0 && { _embedded: { [name]: [...asked.rows] } }),
      _links: hrefs({ self: linkTo(asked, {}) }),
    },
  };
}

const metaOf = ({ facts }: Asked): JsonObject =>
  Object.keys(facts).length === 0 ? {} : { meta: { ...facts } };

const withAttributes: NonNullable<Form['record']> = ({ id, ...attributes }, { table, id: number }) => ({
  type: listName(table),
  id: String(id ?? number),
  attributes,
});

/** Lists with links, below the names that a specification gives. */
export const HYPERMEDIA: readonly Form[] = [
  {
    name: 'HAL pages',
    seenIn: 'Spring Data REST with exposed ids; links to the first and last page where there are several',
    spelling: 'camel',
    absent: 'null',
    size: 20,
    type: HAL,
    record: (fields, { origin, root, id, table }) => {
      const self = `${origin}${root}/${listName(table)}/${id}`;
      return { ...fields, _links: hrefs({ self }) };
    },
    answer: (asked) => {
      const { rows, number, pages, size, total, isLast } = pageOf(asked, {
        at: 'page',
        size: 'size',
        first: 0,
      });
      const to = (page: number) => linkTo(asked, { page, size });
      const isPaged = number > 0 || !isLast;
      return {
        body: {
          ...springEmbedded({ ...asked, rows }),
          _links: hrefs({
            ...(isPaged && { first: to(0) }),
            ...(number > 0 && { prev: to(number - 1) }),
            self: linkTo(asked, {}),
            ...(!isLast && { next: to(number + 1) }),
            ...(isPaged && { last: to(pages - 1) }),
          }),
          page: { size, totalElements: total, totalPages: total === 0 ? 0 : pages, number },
        },
      };
    },
    plain: (asked) => ({ body: { ...springEmbedded(asked), _links: hrefs({ self: linkTo(asked, {}) }) } }),
  },
  {
    name: 'HAL collection',
    seenIn: 'Spring HATEOAS CollectionModel: without records there is no _embedded',
    spelling: 'camel',
    absent: 'null',
    size: null,
    type: HAL,
    answer: collectionModel,
    plain: collectionModel,
  },
  {
    name: 'HAL items',
    seenIn: 'API Platform as HAL: totalItems, and paths as links',
    spelling: 'camel',
    absent: 'null',
    size: 30,
    type: HAL,
    record: (fields, { root, table, id }) => ({
      _links: hrefs({ self: `${root}/${listName(table, 'snake')}/${id}` }),
      ...fields,
    }),
    answer: (asked) => {
      const { rows, number, pages, size, total, isLast } = pageOf(asked, {
        at: 'page',
        size: 'itemsPerPage',
      });
      const to = (page: number) => pathTo(asked, { page });
      return {
        body: {
          _links: {
            ...hrefs({
              self: pathTo(asked, {}),
              ...(pages > 1 && { first: to(1), last: to(pages) }),
              ...(number > 1 && { prev: to(number - 1) }),
              ...(!isLast && { next: to(number + 1) }),
            }),
            ...(rows.length > 0 && {
              item: rows.map((row) => (row['_links'] as JsonObject)['self'] ?? null),
            }),
          },
          totalItems: total,
          itemsPerPage: size,
          ...(rows.length > 0 && { _embedded: { item: [...rows] } }),
        },
      };
    },
  },
  {
    name: 'JSON:API, page numbers',
    seenIn: 'Django REST Framework JSON:API',
    spelling: 'snake',
    absent: 'null',
    size: 50,
    type: JSON_API,
    idText: String,
    record: withAttributes,
    // A resource object has a type of its own.
    renames: { type: 'kind' },
    below: ['attributes'],
    answer: (asked) => {
      const { rows, number, pages, total, isLast, isInvalid } = pageOf(asked, {
        at: 'page[number]',
        size: 'page[size]',
      });
      if (isInvalid || number > pages) return { status: 404, body: invalidPage() };
      const to = (page: number) => linkTo(asked, { 'page[number]': page });
      return {
        body: {
          links: {
            first: to(1),
            last: to(pages),
            next: isLast ? null : to(number + 1),
            prev: number > 1 ? to(number - 1) : null,
          },
          data: [...rows],
          meta: { pagination: { page: number, pages, count: total } },
        },
      };
    },
    plain: ({ rows }) => ({ body: { data: [...rows] } }),
  },
  {
    name: 'JSON:API, links alone',
    seenIn: 'Rails with jsonapi-resources: dashes in names, no total by default',
    spelling: 'kebab',
    absent: 'null',
    size: 10,
    hasRoom: true,
    type: JSON_API,
    idText: String,
    record: (fields, asked) => {
      const { type, id, attributes } = withAttributes(fields, asked);
      const self = `${asked.origin}${asked.root}/${listName(asked.table)}/${asked.id}`;
      return { id: id ?? null, type: type ?? null, links: { self }, attributes: attributes ?? null };
    },
    // A resource object has a type of its own.
    renames: { type: 'kind' },
    below: ['attributes'],
    answer: (asked) => {
      const { rows, number, pages, size, isLast } = pageOf(asked, { at: 'page[number]', size: 'page[size]' });
      const to = (page: number) => linkTo(asked, { 'page[number]': page, 'page[size]': size });
      return {
        body: {
          data: [...rows],
          links: {
            first: to(1),
            ...(number > 1 && { prev: to(number - 1) }),
            ...(!isLast && { next: to(number + 1) }),
            last: to(pages),
          },
          ...metaOf(asked),
        },
      };
    },
    plain: (asked) => ({ body: { data: [...asked.rows], ...metaOf(asked) } }),
  },
];

function invalidPage(): JsonObject {
  const error = { detail: 'Invalid page.', status: '404', source: { pointer: '/data' }, code: 'not_found' };
  return { errors: [error] };
}
