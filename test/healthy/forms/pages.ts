import type { JsonObject } from '#simulator/json.ts';
import { type Asked, type Form, linkTo, listName, type NumberedPart, pageOf, partFrom } from './form.ts';

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

/** The pages that Laravel links to: « Previous, 1, 2, …, Next ». */
function laravelLinks(asked: Asked, { number, pages, isLast }: NumberedPart): JsonObject[] {
  const link = (label: string, page: number | null): JsonObject => ({
    url: page === null ? null : linkTo(asked, { page }),
    label,
    active: label === `${number}`,
  });
  return [
    link('&laquo; Previous', number > 1 ? number - 1 : null),
    ...Array.from({ length: Math.min(pages, 10) }, (_, index) => link(`${index + 1}`, index + 1)),
    link('Next &raquo;', isLast ? null : number + 1),
  ];
}

function fromTo({ rows, from }: NumberedPart): JsonObject {
  return { from: rows.length === 0 ? null : from + 1, to: rows.length === 0 ? null : from + rows.length };
}

/** Pages by number: Spring, Laravel, ASP.NET, Strapi. */
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
    ...SNAKE,
    name: 'Laravel paginator',
    seenIn: 'Laravel paginate()',
    size: 15,
    answer: (asked) => {
      const page = pageOf(asked, { at: 'page' });
      const { rows, number, pages, size, total, isLast } = page;
      const to = (number: number) => linkTo(asked, { page: number });
      return {
        body: {
          current_page: number,
          data: [...rows],
          first_page_url: to(1),
          from: fromTo(page)['from'] ?? null,
          last_page: pages,
          last_page_url: to(pages),
          links: laravelLinks(asked, page),
          next_page_url: isLast ? null : to(number + 1),
          path: `${asked.origin}${asked.path}`,
          per_page: size,
          prev_page_url: number > 1 ? to(number - 1) : null,
          to: fromTo(page)['to'] ?? null,
          total,
        },
      };
    },
  },
  {
    ...SNAKE,
    name: 'Laravel resource collection',
    seenIn: 'Laravel API resources over paginate()',
    size: 15,
    answer: (asked) => {
      const page = pageOf(asked, { at: 'page' });
      const { rows, number, pages, size, total, isLast } = page;
      const to = (number: number) => linkTo(asked, { page: number });
      return {
        body: {
          data: [...rows],
          links: {
            first: to(1),
            last: to(pages),
            prev: number > 1 ? to(number - 1) : null,
            next: isLast ? null : to(number + 1),
          },
          meta: {
            current_page: number,
            last_page: pages,
            links: laravelLinks(asked, page),
            path: `${asked.origin}${asked.path}`,
            per_page: size,
            total,
            ...fromTo(page),
          },
        },
      };
    },
    plain: ({ rows }) => ({ body: { data: [...rows] } }),
  },
  {
    ...SNAKE,
    name: 'Laravel simple paginator',
    seenIn: 'Laravel simplePaginate(): no total',
    size: 15,
    answer: (asked) => {
      const page = pageOf(asked, { at: 'page' });
      const { rows, number, size, isLast } = page;
      const to = (number: number) => linkTo(asked, { page: number });
      return {
        body: {
          current_page: number,
          data: [...rows],
          first_page_url: to(1),
          from: fromTo(page)['from'] ?? null,
          next_page_url: isLast ? null : to(number + 1),
          path: `${asked.origin}${asked.path}`,
          per_page: size,
          prev_page_url: number > 1 ? to(number - 1) : null,
          to: fromTo(page)['to'] ?? null,
        },
      };
    },
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

/** Offset and limit. */
export const OFFSETS: readonly Form[] = [
  {
    ...SNAKE,
    name: 'offset, limit, total_count',
    seenIn: 'Redmine: a list by its own name',
    size: 25,
    answer: (asked) => {
      const { rows, from, size, total } = partFrom(asked, { at: 'offset', size: 'limit' });
      return {
        body: { [listName(asked.table, 'snake')]: [...rows], total_count: total, offset: from, limit: size },
      };
    },
    plain: ({ rows, table }) => ({ body: { [listName(table, 'snake')]: [...rows] } }),
  },
  {
    ...CAMEL,
    name: '$skip, $limit, total',
    seenIn: 'Feathers',
    size: 10,
    answer: (asked) => {
      const { rows, from, size, total } = partFrom(asked, { at: '$skip', size: '$limit' });
      return { body: { total, limit: size, skip: from, data: [...rows] } };
    },
  },
  {
    ...CAMEL,
    name: 'href, next, limit, offset, total',
    seenIn: 'Spotify: items with the addresses of the pages',
    size: 20,
    answer: (asked) => {
      const { rows, from, size, total, isLast } = partFrom(asked, { at: 'offset', size: 'limit' });
      const to = (offset: number) => linkTo(asked, { offset, limit: size });
      return {
        body: {
          href: to(from),
          limit: size,
          next: isLast ? null : to(from + size),
          offset: from,
          previous: from > 0 ? to(Math.max(0, from - size)) : null,
          total,
          items: [...rows],
        },
      };
    },
  },
  {
    ...CAMEL,
    name: 'startAt, maxResults, total, isLast',
    seenIn: 'Jira',
    size: 50,
    answer: (asked) => {
      const { rows, from, size, total, isLast } = partFrom(asked, { at: 'startAt', size: 'maxResults' });
      return {
        body: {
          self: linkTo(asked, {}),
          ...(!isLast && { nextPage: linkTo(asked, { startAt: from + size, maxResults: size }) }),
          maxResults: size,
          startAt: from,
          total,
          isLast,
          values: [...rows],
        },
      };
    },
  },
];
