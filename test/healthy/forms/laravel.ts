import type { JsonObject } from '#simulator/json.ts';
import { type Asked, type Form, linkTo, type NumberedPart, pageOf, tokenPart } from './form.ts';

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

/** Laravel's paginators, each with the addresses of its pages. */
export const LARAVEL: readonly Form[] = [
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
    ...SNAKE,
    name: 'Laravel cursor paginator',
    seenIn: 'Laravel cursorPaginate()',
    size: 15,
    answer: (asked) => {
      const { rows, from, size, next } = tokenPart(asked, { at: 'cursor' });
      const before = from > 0 ? Buffer.from(`{"after":0,"v":1}`).toString('base64url') : null;
      return {
        body: {
          data: [...rows],
          path: `${asked.origin}${asked.path}`,
          per_page: size,
          next_cursor: next,
          next_page_url: next === null ? null : linkTo(asked, { cursor: next }),
          prev_cursor: before,
          prev_page_url: before === null ? null : linkTo(asked, { cursor: before }),
        },
      };
    },
  },
];
