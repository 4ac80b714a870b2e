import type { PagingStyle } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';
import type { ApiCode } from '../codes.ts';
import type { Said } from '../read/said.ts';

/** The target with one more parameter, or a new value for it. */
export function withParam({ path, query }: Target, param: string, value: string): Target {
  return { path, query: { ...query, [param]: value } };
}

/** Path and query, as a call has them. */
export function pathOf({ path, query }: Target): string {
  // Nearly all have none, and each listing needs it several times.
  if (Object.keys(query).length === 0) return path;
  return `${path}?${new URLSearchParams(query).toString()}`;
}

/**
 * The target of a next address, or its fault, such as another origin. It takes only path and query, so the
 * key never goes elsewhere.
 */
export function addressTarget(
  next: Said<string>,
  {
    baseUrl,
    target,
    style,
  }: { readonly baseUrl: string; readonly target: Target; readonly style: PagingStyle },
): Target | { readonly code: ApiCode; readonly says: string } {
  const base = new URL(baseUrl);
  // Not as a reference, because a path may begin with two slashes.
  const asked = new URL(`${base.origin}${target.path}`);
  const there = URL.parse(next.value, asked.href);
  if (there === null) return { code: 'PAGING_UNPROVEN', says: `${next.name} is no address` };
  const isSame = there.origin === base.origin;
  // A setting confirms a link with a proxy's inner address: its query is right.
  const isVouchedFor = style.place !== null || style.param !== '';
  if (!isSame && !(isVouchedFor && lastOf(there.pathname) === lastOf(asked.pathname)))
    return { code: 'PAGING_OTHER_ORIGIN', says: `${next.name} leads to another origin` };
  const path = isSame && !namesAsked(next.value, asked.pathname) ? there.pathname : asked.pathname;
  return { path: `${path}${there.search}`, query: {} };
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** True for an end of the requested path: `/1/backup?page=2` (Eve: `1/backup…`) of `/proxy/1/backup`. */
function namesAsked(address: string, asked: string): boolean {
  const [path = ''] = address.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  return path !== '' && asked.endsWith(path.startsWith('/') ? path : `/${path}`);
}
