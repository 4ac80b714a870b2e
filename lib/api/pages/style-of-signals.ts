import { NO_PAGING, type PagingStyle, type StyleName } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';
import { targetText } from '../call/call.ts';
import type { ApiCode } from '../codes.ts';
import type { Said, Signals } from '../read/said.ts';
import { CURSOR_PARAMS, PAGE_PARAMS, STANDS_FOR, TOKEN_PARAMS } from '../read/vocabulary.ts';
import { wordsOf } from '../read/words.ts';

/** The style that the first page's signals name; none without one. What numbers of pages mean is tried. */
export function styleOfSignals(signals: Signals): PagingStyle {
  const { next, token, more, isRange } = signals;
  const style = (name: StyleName, own = ''): PagingStyle => ({ ...NO_PAGING, name, param: own });
  if (next !== null) return style(next.by);
  if (token !== null && (more?.value !== false || signals.totals.length > 0))
    return style('cursor', paramsOfToken(signals)[0] ?? 'cursor');
  return isRange ? style('range', 'range') : NO_PAGING;
}

/** The parameters for the page of a token, the likeliest first. */
export function paramsOfToken({ token }: Pick<Signals, 'token'>): readonly string[] {
  if (token === null) return [];
  const own = ownName(token.name);
  // `"next": 2` is the number of a page (json-server).
  const isNumber = /^\d{1,9}$/.test(token.value) && wordsOf(own).join(' ') === 'next';
  const numbered = isNumber ? PAGE_PARAMS.slice(0, 3) : [];
  const bare = lowerFirst(own.replace(/^next[_-]?/i, ''));
  const short = spelled(bare, CURSOR_PARAMS) || 'cursor';
  const capital = short.charAt(0).toUpperCase() + short.slice(1);
  // A header's name has lost its case, and no header has `_`.
  const isUnspelled = token.place.startsWith('header:') && bare !== '' && bare.length < own.length;
  const unspelled = [`next${capital}`, `next_${short.replace(/(?=[A-Z])/g, '_').toLowerCase()}`];
  const named = short === 'token' ? [own] : [short, ...(TOKEN_PARAMS[own.toLowerCase()] ?? []), own];
  const usual = isUnspelled ? [short, ...unspelled] : named;
  const capitals = /^\p{Lu}/u.test(own) ? [capital] : [];
  const vendors = token.name.match(/(?<=^|\.)x-[^.]*$/i) ?? [];
  // `token` is likelier than `cursor` for a `nextPageToken`.
  const said = CURSOR_PARAMS.filter((name) => own.toLowerCase().indexOf(name.toLowerCase(), 1) > 0);
  const names = [...numbered, ...usual, ...capitals, ...vendors, ...said, ...CURSOR_PARAMS];
  return [...new Set(names)].slice(0, TOKEN_TRIES);
}

/** The usual spelling of a parameter's name, because a header loses its case. */
export function spelled(name: string, usual: readonly string[]): string {
  const plain = name.replace(/[-_]/g, '');
  return usual.find((each) => each.toLowerCase() === plain) ?? name;
}

/** How many names are tried for a token without a known parameter. */
const TOKEN_TRIES = 5;

/** The member's own name; a header's without `X-` and its vendor. */
export function ownName(name: string): string {
  const parts = name.replace(/^x-(ms-)?/i, '').split('.');
  const own = parts.at(-1) ?? '';
  const holder = parts.at(-2);
  return STANDS_FOR.has(own.toLowerCase()) && holder !== undefined ? holder : own;
}

/** `current_page` is requested as `page`; `pageNumber` as itself. */
export function paramOfPage(name: string): string {
  const own = ownName(name);
  const [first] = wordsOf(own);
  return first === 'page' || first === 'pg' ? lowerFirst(own) : 'page';
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The target with one more parameter, or a new value for it. */
export function withParam({ path, query }: Target, param: string, value: string): Target {
  return { path, query: { ...query, [param]: value } };
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

/** True where the queries of the two differ in whole numbers alone. */
export function countsOn(next: Target, before: Target): boolean {
  const queryOf = (target: Target) => new URLSearchParams(targetText(target).split('?')[1]);
  const here = queryOf(before);
  const others = [...queryOf(next)].filter(([name, value]) => here.get(name) !== value);
  return others.length > 0 && others.every(([, value]) => /^\d+$/.test(value));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** True for an end of the requested path: `/1/backup?page=2` (Eve: `1/backup…`) of `/proxy/1/backup`. */
function namesAsked(address: string, asked: string): boolean {
  const [path = ''] = address.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  return path !== '' && asked.endsWith(path.startsWith('/') ? path : `/${path}`);
}
