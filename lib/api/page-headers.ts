import { type HeaderFields, headerOf } from './headers.ts';
import type { Fact } from './page-facts.ts';
import { type Role, roleOf } from './page-roles.ts';

type HeaderFact = Fact<unknown> & { readonly role: Role };

/** Headers that say something about pages; the name is what their value is called in a query. */
const HEADERS: Readonly<Record<string, { readonly role: Role; readonly name: string }>> = {
  'x-total-count': { role: 'total', name: 'x-total-count' },
  'x-total': { role: 'total', name: 'x-total' },
  'x-wp-total': { role: 'total', name: 'x-wp-total' },
  'x-total-pages': { role: 'pages', name: 'x-total-pages' },
  'x-wp-totalpages': { role: 'pages', name: 'x-wp-totalpages' },
  // A number to be asked with as `page`.
  'x-next-page': { role: 'token', name: 'nextPage' },
};

/** What the headers say about pages: a number each, the JSON of X-Pagination, the total of Content-Range. */
export function pageHeaders(headers: HeaderFields): readonly HeaderFact[] {
  const single = Object.entries(HEADERS).flatMap(([header, { role, name }]) => {
    const value = headerOf(headers, header);
    return value === undefined ? [] : [{ role, name, value: numberOr(value.trim()) }];
  });
  const range = /\/(\d+)$/.exec(headerOf(headers, 'content-range')?.trim() ?? '');
  const total =
    range === null ? [] : [{ role: 'total', name: 'Content-Range', value: Number(range[1]) } as const];
  return [...single, ...inPagination(headerOf(headers, 'x-pagination')), ...total];
}

function inPagination(text: string | undefined): readonly HeaderFact[] {
  try {
    return Object.entries(JSON.parse(text ?? '{}') as object).flatMap(([name, value]) => {
      const role = roleOf(name);
      return role === undefined ? [] : [{ role, name, value }];
    });
  } catch {
    return [];
  }
}

function numberOr(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
