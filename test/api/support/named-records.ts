import { type Answer, type Asked, slice } from './pages.ts';

/** No round number, and more than two pages of ten. */
export const COUNT = 27;
export const SIZE = 10;
export const records = (from: number, to: number) => slice(from, to - from, COUNT);
export const ALL = records(0, COUNT);

export const from = (start: number, size = SIZE) => records(start, start + size);

/** What a member says of the next page; null behind the last. */
export const after = (start: number) => (start + SIZE < COUNT ? `k${start + SIZE}` : null);

export const more = (page: number) => (page + 1) * SIZE < COUNT;

export const pageOf = (query: URLSearchParams, first = 1, name = 'page') =>
  Number(query.get(name) ?? first) - first;

/** Numbered pages of records below a name, and what is said next to them. */
export const byPage =
  (
    says: (page: number, asked: Asked) => object,
    { first = 1, param = 'page', list = 'items' } = {},
  ): Answer =>
  (asked) => {
    const page = pageOf(asked.query, first, param);
    return { [list]: from(page * SIZE), ...says(page, asked) };
  };

/** Pages that are requested by the number of their first record, and what is said next to them. */
export const byStart =
  (param: string, says: (next: number | null, start: number) => object, list = 'data'): Answer =>
  ({ query }) => {
    const start = Number(query.get(param) ?? 0);
    return { [list]: from(start), ...says(start + SIZE < COUNT ? start + SIZE : null, start) };
  };
