import type { PagingStyle } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';

/** The target of the first page. A style that is set names it, for some servers page only if asked (docs/real-systems.md). */
export function firstTarget({ path, query }: Target, { param, start, size }: PagingStyle): Target {
  const from = start === null ? {} : { [param]: String(start) };
  const by = size === null ? {} : { [size.param]: String(size.value) };
  return { path, query: { ...query, ...from, ...by } };
}

/** The target with one more parameter, or another value of it. */
export function withParam({ path, query }: Target, param: string, value: string): Target {
  return { path, query: { ...query, [param]: value } };
}

/**
 * What shows whether further pages without a record prove anything: the first page by its number or offset, which also shows
 * whether a number changes how many records a page has; of cursors what was asked for last, by a parameter that no server knows.
 */
export function controlTarget({
  first,
  target,
  style,
  base,
}: {
  readonly first: Target;
  readonly target: Target;
  readonly style: PagingStyle;
  readonly base: number;
}): Target {
  if (style.name === 'page' || style.name === 'offset') return withParam(first, style.param, String(base));
  const { [style.param]: value = '2', ...query } = target.query;
  return withParam({ path: target.path, query }, `${style.param}_unread`, value);
}

/** Path and query, as a call has them. */
export function pathOf({ path, query }: Target): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** The same text for the same target. */
export function keyOf({ path, query }: Target): string {
  return `${path}?${new URLSearchParams(query)}`;
}
