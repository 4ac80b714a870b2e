import type { PagingStyle } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';

/** The target of the first page. A style that is set names it, for some servers page only if asked (docs/understand/real-systems.md). */
export function firstTarget({ path, query }: Target, { param, start, size }: PagingStyle): Target {
  const from = start === null ? {} : { [param]: String(start) };
  const by = size === null ? {} : { [size.param]: String(size.value) };
  return { path, query: { ...query, ...from, ...by } };
}

/** The target with one more parameter, or another value of it. */
export function withParam({ path, query }: Target, param: string, value: string): Target {
  return { path, query: { ...query, [param]: value } };
}

/** Path and query, as a call has them. */
export function pathOf({ path, query }: Target): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}
