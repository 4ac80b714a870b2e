import type { JsonObject } from '#simulator/json.ts';
import { named } from '../../support/named.ts';
import {
  CAMEL,
  type Form,
  listed,
  listName,
  numbered,
  PASCAL_SHORT,
  type Part,
  parted,
  pathOf,
  SNAKE,
  tokened,
} from './form.ts';

const SORT = { empty: true, sorted: false, unsorted: true };
const SPRING = { ...CAMEL, size: 20 } as const;
const SPRING_PAGES = { at: 'page', size: 'size', first: 0, most: 2000 } as const;

const springSlice = ({ rows, from, size, number, isLast }: Part): JsonObject => ({
  content: rows,
  pageable: { pageNumber: number, pageSize: size, sort: SORT, offset: from, paged: true, unpaged: false },
  ...{ last: isLast, size, number, sort: SORT, first: number === 0 },
  ...{ numberOfElements: rows.length, empty: rows.length === 0 },
});

const LARAVEL = { ...SNAKE, size: 15 } as const;

/** The pages that Laravel links to: « Previous, 1, 2, …, Next ». */
function laravelLinks({ number, pages, previous, next, to }: Part): JsonObject[] {
  const link = (label: string, url: string | null) => ({ url, label, active: label === `${number}` });
  return [
    link('&laquo; Previous', previous),
    ...Array.from({ length: Math.min(pages, 10) }, (_, index) => link(`${index + 1}`, to(index + 1))),
    link('Next &raquo;', next),
  ];
}

/** What each of Laravel's paginators says of a page, in the order of its members. */
const laravelFrom = ({ rows, from }: Part) => ({ from: rows.length === 0 ? null : from + 1 });
const laravelTo = ({ rows, from }: Part) => ({ to: rows.length === 0 ? null : from + rows.length });
const laravelPath = ({ origin, path, size }: Part) => ({ path: `${origin}${path}`, per_page: size });

/** Pages by number: Spring, ASP.NET, Strapi, Laravel and others. */
export const PAGES: readonly Form[] = named<Omit<Form, 'name'>>({
  'Spring Page': {
    ...SPRING,
    seenIn: 'Spring Data Page, as Jackson writes it; the first page is 0',
    answer: numbered(SPRING_PAGES, (part) => ({
      body: { ...springSlice(part), totalElements: part.total, totalPages: part.counted },
    })),
  },
  'Spring PagedModel': {
    ...SPRING,
    seenIn: 'Spring Data 3.3 with pageSerializationMode = VIA_DTO',
    answer: numbered(SPRING_PAGES, ({ rows, size, number, total, counted }) => ({
      body: { content: rows, page: { size, number, totalElements: total, totalPages: counted } },
    })),
  },
  'Spring Slice': {
    ...SPRING,
    seenIn: 'Spring Data Slice: no total',
    answer: numbered(SPRING_PAGES, (part) => ({ body: springSlice(part) })),
  },
  PaginatedList: {
    ...{ ...CAMEL, size: 10 },
    seenIn: 'ASP.NET Core by the Clean Architecture template',
    answer: numbered({ at: 'pageNumber', size: 'pageSize' }, ({ rows, number, counted, total, isLast }) => ({
      body: {
        ...{ items: rows, pageNumber: number, totalPages: counted, totalCount: total },
        ...{ hasPreviousPage: number > 1, hasNextPage: !isLast },
      },
    })),
  },
  'items, totalCount': {
    ...{ ...CAMEL, size: 10 },
    seenIn: 'ABP and ASP.NET Boilerplate: SkipCount, in any case, and MaxResultCount',
    answer: parted({ at: 'SkipCount', size: 'MaxResultCount' }, ({ rows, total }) => ({
      body: { totalCount: total, items: rows },
    })),
    plain: listed('items'),
  },
  'records, current, pages': {
    ...{ ...CAMEL, size: 10 },
    seenIn: 'MyBatis-Plus IPage',
    answer: numbered({ at: 'current', size: 'size' }, ({ rows, number, size, counted, total }) => ({
      body: { records: rows, total, size, current: number, pages: counted },
    })),
  },
  'Items, PageNumber, TotalPages': {
    ...{ ...PASCAL_SHORT, size: 20 },
    seenIn: 'Go and Java APIs in the style of .NET, which tell capitals apart',
    answer: numbered(
      { at: 'PageNumber', size: 'PageSize' },
      ({ rows, number, size, counted, total, isLast }) => ({
        body: {
          ...{ Items: rows, PageNumber: number, PageSize: size, TotalPages: counted, TotalCount: total },
          ...{ HasPreviousPage: number > 1, HasNextPage: !isLast },
        },
      }),
    ),
  },
  'page, pageSize, totalPages': {
    ...{ ...CAMEL, size: 20 },
    seenIn: 'Node and Java APIs by hand',
    answer: numbered({ at: 'page', size: 'pageSize' }, ({ rows, number, size, pages, total }) => ({
      body: { data: rows, page: number, pageSize: size, totalPages: pages, totalCount: total },
    })),
    plain: listed('data'),
  },
  'Strapi 5': {
    ...{ ...CAMEL, size: 25 },
    seenIn: 'Strapi 5: data and meta.pagination, asked for by pagination[page]',
    answer: numbered(
      { at: 'pagination[page]', size: 'pagination[pageSize]' },
      ({ rows, number, size, counted, total }) => {
        const pagination = { page: number, pageSize: size, pageCount: counted, total };
        return { body: { data: rows, meta: { pagination } } };
      },
    ),
    plain: listed('data', undefined, () => ({ meta: {} })),
  },
  'has_more and quota': {
    ...{ ...SNAKE, absent: 'omitted', size: 30 },
    seenIn: 'Stack Exchange: items, has_more and the quota of the day',
    answer: numbered({ at: 'page', size: 'pagesize' }, ({ rows, isLast, number }) => {
      const quota = { quota_max: 10_000, quota_remaining: 9731 - (number % 7) };
      return { body: { items: rows, has_more: !isLast, ...quota } };
    }),
    plain: listed('items', undefined, () => ({ has_more: false, quota_max: 10_000, quota_remaining: 9700 })),
  },
  'next_page, previous_page, count': {
    ...{ ...SNAKE, size: 100 },
    seenIn: 'Zendesk: a list by its own name, with the addresses of the pages',
    answer: numbered({ at: 'page', size: 'per_page' }, ({ rows, table, next, previous, total }) => ({
      body: { [listName(table, 'snake')]: rows, next_page: next, previous_page: previous, count: total },
    })),
  },
  next_page_uri: {
    ...{ ...SNAKE, size: 50 },
    seenIn: 'Twilio: paths of the pages, numbered from 0',
    answer: numbered({ at: 'Page', size: 'PageSize', first: 0, isSized: true }, (part) => {
      const { rows, table, from, number, size, to, next, previous } = part;
      return {
        body: {
          first_page_uri: pathOf(part, to(0)),
          end: Math.max(0, from + rows.length - 1),
          [listName(table, 'snake')]: rows,
          previous_page_uri: pathOf(part, previous),
          ...{ uri: pathOf(part, to(number)), page_size: size, start: from },
          ...{ next_page_uri: pathOf(part, next), page: number },
        },
      };
    }),
  },
  'Laravel resource collection': {
    ...LARAVEL,
    seenIn: 'Laravel API resources over paginate()',
    answer: numbered({ at: 'page' }, (part) => ({
      body: {
        data: part.rows,
        links: { first: part.to(1), last: part.to(part.pages), prev: part.previous, next: part.next },
        meta: {
          ...{ current_page: part.number, last_page: part.pages, links: laravelLinks(part) },
          ...{ ...laravelPath(part), total: part.total, ...laravelFrom(part), ...laravelTo(part) },
        },
      },
    })),
    plain: listed('data'),
  },
  'Laravel simple paginator': {
    ...LARAVEL,
    seenIn: 'Laravel simplePaginate(): no total',
    answer: numbered({ at: 'page' }, (part) => ({
      body: {
        ...{ current_page: part.number, data: part.rows, first_page_url: part.to(1), ...laravelFrom(part) },
        ...{ next_page_url: part.next, ...laravelPath(part), prev_page_url: part.previous },
        ...laravelTo(part),
      },
    })),
  },
  'Laravel cursor paginator': {
    ...LARAVEL,
    seenIn: 'Laravel cursorPaginate()',
    answer: tokened({ at: 'cursor' }, (part) => {
      const before = part.from > 0 ? Buffer.from(`{"after":0,"v":1}`).toString('base64url') : null;
      return {
        body: {
          ...{ data: part.rows, ...laravelPath(part), next_cursor: part.token, next_page_url: part.next },
          ...{ prev_cursor: before, prev_page_url: before === null ? null : part.to(before) },
        },
      };
    }),
  },
});
