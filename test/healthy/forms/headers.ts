import { named } from '../../support/named.ts';
import {
  bare,
  CAMEL,
  CAMEL_SHORT,
  type Form,
  type Listing,
  listed,
  numbered,
  type Part,
  type Said,
  SNAKE,
  tokened,
} from './form.ts';

/** A page's relations as `Link: <URL>; rel="next", …`; no header where there is none. */
function linkHeader(
  { to }: Part,
  relations: Readonly<Record<string, number | false>>,
): Record<string, string> {
  const links = Object.entries(relations).flatMap(([rel, page]) =>
    page === false ? [] : [`<${to(page)}>; rel="${rel}"`],
  );
  return links.length === 0 ? {} : { link: links.join(', ') };
}

const PAGES = { at: 'page', size: 'per_page' } as const;
/** The numbers of the pages before and behind a page. */
const before = ({ number }: Part) => number > 1 && number - 1;
const behind = ({ number, isLast }: Part) => !isLast && number + 1;

const valued = listed<Listing>('value', ({ rows }) => ({ count: rows.length }));

/** Lists whose paging is in the headers. */
export const HEADERS: readonly Form[] = named<Omit<Form, 'name'>>({
  'Link header': {
    ...{ ...SNAKE, size: 30 },
    seenIn: 'GitHub: no header where one page is all',
    answer: numbered(PAGES, (part) => ({
      body: part.rows,
      headers: linkHeader(part, {
        ...{ prev: before(part), next: behind(part) },
        ...{ last: !part.isLast && part.pages, first: part.number > 1 && 1 },
      }),
    })),
  },
  'Link and X-Total headers': {
    ...{ ...SNAKE, size: 20 },
    seenIn: 'GitLab: X-Next-Page is empty on the last page, and the link to the last page is always there',
    answer: numbered(PAGES, (part) => ({
      body: part.rows,
      headers: {
        ...linkHeader(part, { prev: before(part), next: behind(part), first: 1, last: part.pages }),
        'x-next-page': `${behind(part) || ''}`,
        'x-page': `${part.number}`,
        'x-per-page': `${part.size}`,
        'x-prev-page': `${before(part) || ''}`,
        'x-total': `${part.total}`,
        'x-total-pages': `${part.pages}`,
      },
    })),
  },
  'X-WP-Total headers': {
    ...{ ...SNAKE, size: 10 },
    seenIn: 'WordPress REST API: a page beyond the last one is refused',
    answer: numbered(PAGES, (part) =>
      part.number > part.pages
        ? beyondWordPress()
        : {
            body: part.rows,
            headers: {
              ...{ 'x-wp-total': `${part.total}`, 'x-wp-totalpages': `${part.counted}` },
              ...linkHeader(part, { prev: before(part), next: behind(part) }),
            },
          },
    ),
  },
  'X-Pagination header': {
    ...{ ...CAMEL, size: 10 },
    seenIn: 'ASP.NET Core with a PagedList<T> and Newtonsoft',
    answer: numbered(
      { at: 'pageNumber', size: 'pageSize', most: 50 },
      ({ rows, number, counted, size, total, isLast }) => {
        const said = {
          ...{ TotalCount: total, PageSize: size, CurrentPage: number, TotalPages: counted },
          ...{ HasNext: !isLast, HasPrevious: number > 1 },
        };
        return { body: rows, headers: { 'x-pagination': JSON.stringify(said) } };
      },
    ),
  },
  'continuation header': {
    ...{ ...CAMEL_SHORT, size: 100 },
    seenIn: 'Azure DevOps: count is the number of records in the answer',
    answer: tokened({ at: 'continuationToken', size: '$top' }, (part) => ({
      ...valued(part),
      headers: part.token === null ? {} : { 'x-ms-continuationtoken': part.token },
    })),
    plain: valued,
  },
  'X-Total-Count header over all records': {
    ...{ ...CAMEL, size: null },
    seenIn: 'APIs for react-admin and json-server clients, without a range',
    answer: (asked) => ({ ...bare(asked), headers: { 'x-total-count': `${asked.rows.length}` } }),
  },
});

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
