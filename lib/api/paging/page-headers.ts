import { type HeaderFields, headerOf } from '../headers.ts';
import type { Fact } from './page-roles.ts';
import { type Role, roleOf } from './page-roles.ts';

type HeaderFact = Fact<unknown> & { readonly role: Role };

/** Headers that say something about pages; the name is what their value is called in a query. */
const HEADERS: readonly { readonly header: string; readonly role: Role; readonly name: string }[] = [
  { header: 'x-total-count', role: 'total', name: 'x-total-count' },
  { header: 'x-total', role: 'total', name: 'x-total' },
  { header: 'x-wp-total', role: 'total', name: 'x-wp-total' },
  { header: 'x-total-pages', role: 'pages', name: 'x-total-pages' },
  { header: 'x-wp-totalpages', role: 'pages', name: 'x-wp-totalpages' },
  // A number to be asked with as `page`.
  { header: 'x-next-page', role: 'token', name: 'nextPage' },
];

/** What the headers say about pages: a number each, the JSON of X-Pagination, the total of Content-Range. */
export function pageHeaders(headers: HeaderFields): readonly HeaderFact[] {
  const facts: HeaderFact[] = [];
  for (const { header, role, name } of HEADERS) {
    const value = headerOf(headers, header);
    if (value !== undefined) facts.push({ role, name, value: numberOr(value.trim()) });
  }
  facts.push(...inPagination(headerOf(headers, 'x-pagination')));
  const [, total] = /\/(\d+)$/.exec(headerOf(headers, 'content-range')?.trim() ?? '') ?? [];
  if (total !== undefined) facts.push({ role: 'total', name: 'Content-Range', value: Number(total) });
  return facts;
}

function inPagination(text: string | undefined): readonly HeaderFact[] {
  if (text === undefined) return [];
  try {
    return Object.entries(JSON.parse(text) as object).flatMap(([name, value]) => {
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
