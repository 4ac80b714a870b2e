import { type Asked, bare, type Form, linkTo, pageOf, type Said, tokenPart } from './form.ts';

interface Relation {
  readonly rel: string;
  readonly page: number;
}

/** Links of a page, as `Link: <URL>; rel="next", …`; no header where there is none. */
function linkHeader(asked: Asked, relations: readonly Relation[]): Record<string, string> {
  if (relations.length === 0) return {};
  const link = ({ rel, page }: Relation) => `<${linkTo(asked, { page })}>; rel="${rel}"`;
  return { link: relations.map(link).join(', ') };
}

/** Lists whose paging is in the headers. */
export const HEADERS: readonly Form[] = [
  {
    name: 'Link header',
    seenIn: 'GitHub: no header where one page is all',
    spelling: 'snake',
    absent: 'null',
    size: 30,
    answer: (asked) => {
      const { rows, number, pages, isLast } = pageOf(asked, { at: 'page', size: 'per_page' });
      const links = [
        ...(number > 1 ? [{ rel: 'prev', page: number - 1 }] : []),
        ...(isLast
          ? []
          : [
              { rel: 'next', page: number + 1 },
              { rel: 'last', page: pages },
            ]),
        ...(number > 1 ? [{ rel: 'first', page: 1 }] : []),
      ];
      return { body: [...rows], headers: linkHeader(asked, links) };
    },
  },
  {
    name: 'Link and X-Total headers',
    seenIn: 'GitLab: X-Next-Page is empty on the last page, and the link to the last page is always there',
    spelling: 'snake',
    absent: 'null',
    size: 20,
    answer: (asked) => {
      const { rows, number, pages, size, total, isLast } = pageOf(asked, { at: 'page', size: 'per_page' });
      const links = [
        ...(number > 1 ? [{ rel: 'prev', page: number - 1 }] : []),
        ...(isLast ? [] : [{ rel: 'next', page: number + 1 }]),
        { rel: 'first', page: 1 },
        { rel: 'last', page: pages },
      ];
      return {
        body: [...rows],
        headers: {
          ...linkHeader(asked, links),
          'x-next-page': isLast ? '' : `${number + 1}`,
          'x-page': `${number}`,
          'x-per-page': `${size}`,
          'x-prev-page': number > 1 ? `${number - 1}` : '',
          'x-total': `${total}`,
          'x-total-pages': `${pages}`,
        },
      };
    },
  },
  {
    name: 'X-WP-Total headers',
    seenIn: 'WordPress REST API: a page beyond the last one is refused',
    spelling: 'snake',
    absent: 'null',
    size: 10,
    answer: (asked) => {
      const { rows, number, pages, total, isLast } = pageOf(asked, { at: 'page', size: 'per_page' });
      if (number > pages) return beyondWordPress();
      const links = [
        ...(number > 1 ? [{ rel: 'prev', page: number - 1 }] : []),
        ...(isLast ? [] : [{ rel: 'next', page: number + 1 }]),
      ];
      const headers = { 'x-wp-total': `${total}`, 'x-wp-totalpages': `${total === 0 ? 0 : pages}` };
      return { body: [...rows], headers: { ...headers, ...linkHeader(asked, links) } };
    },
  },
  {
    name: 'Link, Total and Per-Page headers',
    seenIn: 'Rails with the gem api-pagination',
    spelling: 'snake',
    absent: 'null',
    size: 25,
    answer: (asked) => {
      const { rows, number, pages, size, total, isLast } = pageOf(asked, { at: 'page', size: 'per_page' });
      const links = [
        ...(number > 1
          ? [
              { rel: 'first', page: 1 },
              { rel: 'prev', page: number - 1 },
            ]
          : []),
        ...(isLast
          ? []
          : [
              { rel: 'last', page: pages },
              { rel: 'next', page: number + 1 },
            ]),
      ];
      return {
        body: [...rows],
        headers: { ...linkHeader(asked, links), total: `${total}`, 'per-page': `${size}` },
      };
    },
  },
  {
    name: 'X-Pagination header',
    seenIn: 'ASP.NET Core with a PagedList<T> and Newtonsoft',
    spelling: 'camel',
    absent: 'null',
    size: 10,
    answer: (asked) => {
      const names = { at: 'pageNumber', size: 'pageSize', most: 50 };
      const { rows, number, pages, size, total, isLast } = pageOf(asked, names);
      const said = {
        TotalCount: total,
        PageSize: size,
        CurrentPage: number,
        TotalPages: total === 0 ? 0 : pages,
        HasNext: !isLast,
        HasPrevious: number > 1,
      };
      return { body: [...rows], headers: { 'x-pagination': JSON.stringify(said) } };
    },
  },
  {
    name: 'continuation header',
    seenIn: 'Azure DevOps: count is the number of records in the answer',
    spelling: 'camel',
    absent: 'omitted',
    size: 100,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: 'continuationToken', size: '$top' });
      return {
        body: { count: rows.length, value: [...rows] },
        headers: next === null ? {} : { 'x-ms-continuationtoken': next },
      };
    },
    plain: ({ rows }) => ({ body: { count: rows.length, value: [...rows] } }),
  },
  {
    name: 'X-Total-Count header over all records',
    seenIn: 'APIs for react-admin and json-server clients, without a range',
    spelling: 'camel',
    absent: 'null',
    size: null,
    answer: (asked) => ({ ...bare(asked), headers: { 'x-total-count': `${asked.rows.length}` } }),
  },
];

function beyondWordPress(): Said {
  return {
    status: 400,
    body: {
      code: 'rest_post_invalid_page_number',
      message: 'The page number requested is larger than the number of pages available.',
      data: { status: 400 },
    },
  };
}
