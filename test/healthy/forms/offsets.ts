import { type Form, linkTo, listName, partFrom } from './form.ts';

const CAMEL = { spelling: 'camel', absent: 'null' } as const;
const SNAKE = { spelling: 'snake', absent: 'null' } as const;

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
    seenIn: 'Jira: the address of the next page, while there is one',
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
