import type { JsonObject } from '#simulator/json.ts';
import {
  bare,
  type Form,
  isForeignToken,
  linkTo,
  pageOf,
  partFrom,
  pathTo,
  type Said,
  tokenPart,
} from './form.ts';

const notFound = (detail: string): Said => ({ status: 404, body: { detail } });

/** What Pydantic says of a number that is too small or too large. */
const unprocessable = (name: string): Said => ({
  status: 422,
  body: {
    detail: [
      {
        type: 'greater_than_equal',
        loc: ['query', name],
        msg: 'Input should be greater than or equal to 1',
        input: '0',
        ctx: { ge: 1 },
      },
    ],
  },
});

const SNAKE = { spelling: 'snake', absent: 'null' } as const;

/** Django REST Framework, Eve and FastAPI. */
export const PYTHON: readonly Form[] = [
  {
    ...SNAKE,
    name: 'DRF, page numbers',
    seenIn: 'Django REST Framework PageNumberPagination: a page beyond the last one is 404',
    size: 50,
    answer: (asked) => {
      const { rows, number, pages, total, isLast, isInvalid } = pageOf(asked, { at: 'page' });
      if (isInvalid || number > pages) return notFound('Invalid page.');
      return {
        body: {
          count: total,
          next: isLast ? null : linkTo(asked, { page: number + 1 }),
          previous: number > 1 ? linkTo(asked, { page: number === 2 ? null : number - 1 }) : null,
          results: [...rows],
        },
      };
    },
  },
  {
    ...SNAKE,
    name: 'DRF, limit and offset',
    seenIn: 'Django REST Framework LimitOffsetPagination, NetBox',
    size: 50,
    answer: (asked) => {
      const { rows, from, size, total, isLast } = partFrom(asked, {
        at: 'offset',
        size: 'limit',
        most: 1000,
      });
      const to = (offset: number) => linkTo(asked, { limit: size, offset: offset === 0 ? null : offset });
      return {
        body: {
          count: total,
          next: isLast ? null : to(from + size),
          previous: from > 0 ? to(Math.max(0, from - size)) : null,
          results: [...rows],
        },
      };
    },
  },
  {
    ...SNAKE,
    name: 'DRF, cursor',
    seenIn: 'Django REST Framework CursorPagination: no count',
    size: 50,
    answer: (asked) => {
      if (isForeignToken(asked, 'cursor')) return notFound('Invalid cursor');
      const { rows, from, next } = tokenPart(asked, { at: 'cursor' });
      return {
        body: {
          next: next === null ? null : linkTo(asked, { cursor: next }),
          previous: from > 0 ? linkTo(asked, { cursor: null }) : null,
          results: [...rows],
        },
      };
    },
  },
  {
    ...SNAKE,
    name: 'Eve',
    seenIn: 'Eve: links relative to the root of its API, ids of MongoDB',
    size: 25,
    idText: (id) => id.toString(16).padStart(24, '0'),
    record: ({ id, ...fields }, { root, path, table, id: number }) => ({
      _id: id ?? number.toString(16).padStart(24, '0'),
      ...fields,
      _updated: 'Fri, 02 Jan 2026 03:04:05 GMT',
      _created: 'Fri, 02 Jan 2026 03:04:05 GMT',
      _etag: number.toString(16).padStart(40, '7'),
      _links: {
        self: {
          title: table.replace(/s$/, ''),
          href: `${path.slice(root.length + 1)}/${number.toString(16).padStart(24, '0')}`,
        },
      },
    }),
    answer: (asked) => {
      const { rows, number, pages, size, total, isLast } = pageOf(asked, { at: 'page', size: 'max_results' });
      const href = (page: number) => pathTo(asked, { page }).slice(asked.root.length + 1);
      const link = (title: string, page: number): JsonObject => ({ title, href: href(page) });
      return {
        body: {
          _items: [...rows],
          _links: {
            parent: { title: 'home', href: '/' },
            self: { title: asked.table, href: asked.path.slice(asked.root.length + 1) },
            ...(!isLast && { next: link('next page', number + 1), last: link('last page', pages) }),
            ...(number > 1 && { prev: link('previous page', number - 1) }),
          },
          _meta: { page: number, max_results: size, total },
        },
        headers: { 'x-total-count': `${total}` },
      };
    },
    plain: ({ rows, table, path, root }) => ({
      body: {
        _items: [...rows],
        _links: {
          parent: { title: 'home', href: '/' },
          self: { title: table, href: path.slice(root.length + 1) },
        },
      },
    }),
  },
  {
    ...SNAKE,
    name: 'FastAPI, pages',
    seenIn: 'fastapi-pagination Page',
    size: 50,
    answer: (asked) => {
      const { rows, number, pages, size, total, isInvalid } = pageOf(asked, { at: 'page', size: 'size' });
      if (isInvalid) return unprocessable('page');
      return { body: { items: [...rows], total, page: number, size, pages: total === 0 ? 0 : pages } };
    },
  },
  {
    ...SNAKE,
    name: 'FastAPI, limit and offset',
    seenIn: 'fastapi-pagination LimitOffsetPage',
    size: 50,
    answer: (asked) => {
      const { rows, from, size, total } = partFrom(asked, { at: 'offset', size: 'limit' });
      return { body: { items: [...rows], total, limit: size, offset: from } };
    },
  },
  {
    ...SNAKE,
    name: 'FastAPI, cursor',
    seenIn: 'fastapi-pagination CursorPage',
    size: 50,
    answer: (asked) => {
      const { rows, from, next } = tokenPart(asked, { at: 'cursor', size: 'size' });
      const here = Buffer.from(`>${from}`).toString('base64');
      return {
        body: {
          items: [...rows],
          total: null,
          current_page: here,
          current_page_backwards: Buffer.from(`<${from + rows.length}`).toString('base64'),
          previous_page: from > 0 ? Buffer.from(`<${from}`).toString('base64') : null,
          next_page: next,
        },
      };
    },
  },
  {
    ...SNAKE,
    name: 'FastAPI, skip and limit',
    seenIn: "FastAPI's tutorial: a bare list, cut at 100",
    size: 100,
    most: 80,
    answer: (asked) => ({ body: [...partFrom(asked, { at: 'skip', size: 'limit' }).rows] }),
    plain: bare,
  },
  {
    ...SNAKE,
    name: 'FastAPI, skip and limit with a count',
    seenIn: "FastAPI's full-stack template: {data, count}, cut at 100",
    size: 100,
    answer: (asked) => ({
      body: { data: [...partFrom(asked, { at: 'skip', size: 'limit' }).rows], count: asked.rows.length },
    }),
    plain: ({ rows }) => ({ body: { data: [...rows], count: rows.length } }),
  },
];
