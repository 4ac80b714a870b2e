import type { JsonObject } from '#simulator/json.ts';
import { type Asked, type Form, linkTo, type NumberedPart, pageOf } from './form.ts';

const SORT = { empty: true, sorted: false, unsorted: true };

function springPart(asked: Asked): NumberedPart {
  return pageOf(asked, { at: 'page', size: 'size', first: 0, most: 2000 });
}

function springSlice({ rows, from, size, number, isLast }: NumberedPart): JsonObject {
  return {
    content: [...rows],
    pageable: { pageNumber: number, pageSize: size, sort: SORT, offset: from, paged: true, unpaged: false },
    last: isLast,
    size,
    number,
    sort: SORT,
    first: number === 0,
    numberOfElements: rows.length,
    empty: rows.length === 0,
  };
}

const CAMEL = { spelling: 'camel', absent: 'null' } as const;
const SNAKE = { spelling: 'snake', absent: 'null' } as const;

/** Pages by number: Spring, ASP.NET, Strapi. */
export const PAGES: readonly Form[] = [
  {
    ...CAMEL,
    name: 'Spring Page',
    seenIn: 'Spring Data Page, as Jackson writes it; the first page is 0',
    size: 20,
    answer: (asked) => {
      const page = springPart(asked);
      const totals = { totalElements: page.total, totalPages: page.total === 0 ? 0 : page.pages };
      return { body: { ...springSlice(page), ...totals } };
    },
  },
  {
    ...CAMEL,
    name: 'Spring PagedModel',
    seenIn: 'Spring Data 3.3 with pageSerializationMode = VIA_DTO',
    size: 20,
    answer: (asked) => {
      const { rows, size, number, total, pages } = springPart(asked);
      const page = { size, number, totalElements: total, totalPages: total === 0 ? 0 : pages };
      return { body: { content: [...rows], page } };
    },
  },
  {
    ...CAMEL,
    name: 'Spring Slice',
    seenIn: 'Spring Data Slice: no total',
    size: 20,
    answer: (asked) => ({ body: springSlice(springPart(asked)) }),
  },
  {
    ...CAMEL,
    name: 'PaginatedList',
    seenIn: 'ASP.NET Core by the Clean Architecture template',
    size: 10,
    answer: (asked) => {
      const { rows, number, pages, total, isLast } = pageOf(asked, { at: 'pageNumber', size: 'pageSize' });
      return {
        body: {
          items: [...rows],
          pageNumber: number,
          totalPages: total === 0 ? 0 : pages,
          totalCount: total,
          hasPreviousPage: number > 1,
          hasNextPage: !isLast,
        },
      };
    },
  },
  {
    ...CAMEL,
    name: 'PagedResponse',
    seenIn: 'ASP.NET Core with PagedResponse<T> and page addresses',
    size: 10,
    answer: (asked) => {
      const { rows, number, pages, size, total, isLast } = pageOf(asked, {
        at: 'pageNumber',
        size: 'pageSize',
      });
      const to = (page: number) => linkTo(asked, { pageNumber: page, pageSize: size });
      return {
        body: {
          pageNumber: number,
          pageSize: size,
          firstPage: to(1),
          lastPage: to(pages),
          totalPages: total === 0 ? 0 : pages,
          totalRecords: total,
          nextPage: isLast ? null : to(number + 1),
          previousPage: number > 1 ? to(number - 1) : null,
          data: [...rows],
          succeeded: true,
          errors: null,
          message: null,
        },
      };
    },
    plain: ({ rows }) => ({ body: { data: [...rows], succeeded: true, errors: null, message: null } }),
  },
  {
    ...CAMEL,
    name: 'page, pageSize, totalPages',
    seenIn: 'Node and Java APIs by hand',
    size: 20,
    answer: (asked) => {
      const { rows, number, pages, size, total } = pageOf(asked, { at: 'page', size: 'pageSize' });
      return {
        body: { data: [...rows], page: number, pageSize: size, totalPages: pages, totalCount: total },
      };
    },
    plain: ({ rows }) => ({ body: { data: [...rows] } }),
  },
  {
    ...CAMEL,
    name: 'Strapi 5',
    seenIn: 'Strapi 5: data and meta.pagination, asked for by pagination[page]',
    size: 25,
    answer: (asked) => {
      const { rows, number, pages, size, total } = pageOf(asked, {
        at: 'pagination[page]',
        size: 'pagination[pageSize]',
      });
      const pagination = { page: number, pageSize: size, pageCount: total === 0 ? 0 : pages, total };
      return { body: { data: [...rows], meta: { pagination } } };
    },
    plain: ({ rows }) => ({ body: { data: [...rows], meta: {} } }),
  },
  {
    ...SNAKE,
    name: 'has_more and quota',
    seenIn: 'Stack Exchange: items, has_more and the quota of the day',
    absent: 'omitted',
    size: 30,
    answer: (asked) => {
      const { rows, isLast, number } = pageOf(asked, { at: 'page', size: 'pagesize' });
      const quota = { quota_max: 10_000, quota_remaining: 9731 - (number % 7) };
      return { body: { items: [...rows], has_more: !isLast, ...quota } };
    },
    plain: ({ rows }) => ({
      body: { items: [...rows], has_more: false, quota_max: 10_000, quota_remaining: 9700 },
    }),
  },
];
