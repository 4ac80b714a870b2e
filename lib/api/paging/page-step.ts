import type { PagingStyle, StyleName } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Target } from '../../sources/resources.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import type { NumberRole } from '../beside/page-roles.ts';
import { type ApiCode, curesOf } from '../codes.ts';
import { paramOfToken } from './style-of-facts.ts';

/** What proves that a page is the last one; `nothing`: it only names no further page. */
export type End = 'said' | 'total' | 'empty' | 'repeated' | 'short' | 'nothing';

/** What comes after a page. */
export type Step =
  | { readonly kind: 'last'; readonly by: End }
  /** `promised`: the server says that there is more; else the page is asked for to see whether there is. */
  | { readonly kind: 'go'; readonly target: Target; readonly promised: boolean }
  | { readonly kind: 'error'; readonly code: ApiCode; readonly what: string };

/** A page that was read, and what is known about its listing. */
export interface PageState {
  readonly style: PagingStyle;
  readonly facts: PageFacts;
  /** The source's origin. */
  readonly baseUrl: string;
  /** The target of this page. */
  readonly target: Target;
  /** From 0. */
  readonly page: number;
  /** Records on this page, and on all so far. */
  readonly count: number;
  readonly items: number;
  /** The first page's number or offset. */
  readonly base: number;
  /** The number of records of the listing, if known. */
  readonly total: number | null;
  /** Records on the first page. */
  readonly pageSize: number;
  /** Records on a page that others followed: a page with fewer is the last. */
  readonly fullPage: number | null;
  /** Whether a flag such as this page's is known to say that a listing ends. */
  readonly isEndShown: boolean;
}

const STEPS: Readonly<Record<StyleName, (state: PageState) => Step>> = {
  none: ({ facts, items, total }) => {
    if (facts.more?.value === true) return unproven(promise(facts.more.name));
    if (total !== null && total > items)
      return unproven(
        `The server declares ${total} records and gave ${items}, and nothing says how to ask for the rest`,
      );
    return last(facts.more === null && facts.ended === null ? 'nothing' : 'said');
  },
  link: nextUrlStep,
  next: nextUrlStep,
  cursor: (state) => {
    const { facts, style, count, target } = state;
    const { token, more } = facts;
    // An empty page that names itself as the next one is the last.
    if (count === 0 && token?.value === target.query[style.param] && more?.value !== true)
      return last('empty');
    if (token === null || saysLast(state)) return endUnlessMore(state);
    return go(state, { [style.param]: token.value }, true);
  },
  page: (state) => {
    const { facts, style, page, base } = state;
    const { pages } = facts.numbers;
    const current = base + page;
    const stuck = stuckAt(state, 'page', current);
    if (stuck !== null) return stuck;
    const next = { [style.param]: String(current + 1) };
    // A listing that counts from 0 has page number pages - 1 as its last.
    if (pages !== undefined && current < pages.value - (base === 0 ? 1 : 0)) return go(state, next, true);
    if (pages !== undefined && facts.more?.value !== true) return last('said');
    return endOf(state) ?? go(state, next, facts.more?.value === true || lacks(state));
  },
  offset: (state) => {
    const { facts, style, items, count, base } = state;
    const stuck = stuckAt(state, 'offset', base + items - count);
    if (stuck !== null) return stuck;
    const next = { [style.param]: String(base + items) };
    return endOf(state) ?? go(state, next, facts.more?.value === true || lacks(state));
  },
};

/** What to do after a page, by its style and facts. */
export function stepOf(state: PageState): Step {
  return STEPS[state.style.name](state);
}

/** The step to the next address. Only its path and query are used, so that the key is never sent elsewhere. */
function nextUrlStep(state: PageState): Step {
  const { facts, baseUrl, style, target, count, items } = state;
  if (facts.nextUrl === null || (saysLast(state) && isEndBelieved(state))) return endUnlessMore(state);
  // Some servers link on for ever. One with all records behind it says how many they are.
  if (count === 0 && items > 0 && facts.totals.some(({ value }) => value === items)) return last('total');
  const base = new URL(baseUrl);
  // Not as a reference: a path may begin with two slashes.
  const asked = new URL(`${base.origin}${target.path}`);
  const next = URL.parse(facts.nextUrl.value, asked.href);
  const promised = facts.more?.value !== false;
  if (next === null) return unproven(`${facts.nextUrl.name} is no address`);
  if (next.origin === base.origin) {
    const path = namesAsked(facts.nextUrl.value, asked.pathname) ? asked.pathname : next.pathname;
    return { kind: 'go', target: { path: `${path}${next.search}`, query: {} }, promised };
  }
  const isVouchedFor = style.place !== null || style.param !== '';
  if (isVouchedFor && lastOf(next.pathname) === lastOf(asked.pathname))
    return { kind: 'go', target: { path: `${asked.pathname}${next.search}`, query: {} }, promised };
  return {
    kind: 'error',
    code: 'PAGING_OTHER_ORIGIN',
    what: `${facts.nextUrl.name} leads to another origin`,
  };
}

/**
 * True if a flag says that there is no more, whatever token stands beside it: `endCursor` is that of the last page too. Not where
 * records of the declared total are missing.
 */
function saysLast({ facts, total, items }: PageState): boolean {
  return facts.more?.value === false && (total === null || items >= total);
}

/** True if more than the flag says that there is no more. Alone it may be wrong, where the address of a next page stands beside it. */
function isEndBelieved({ count, total, isEndShown }: PageState): boolean {
  return count === 0 || isEndShown || total !== null;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/**
 * True if an address is the asked path without its beginning. Example: behind a proxy that removes `/proxy`, a call of
 * `/proxy/1/backup` gives a link to `/1/backup?page=2`. Eve links to `players/1/screens?page=2`, from the root of its API.
 */
function namesAsked(address: string, asked: string): boolean {
  const [path = ''] = address.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  return path !== '' && asked.endsWith(path.startsWith('/') ? path : `/${path}`);
}

/** After links or cursors, a page without one is the last. A first page without one proves nothing. */
function endUnlessMore({ facts: { more, ended }, page }: PageState): Step {
  if (more?.value === true) return unproven(promise(more.name));
  return last(page > 0 || ended !== null || more !== null ? 'said' : 'nothing');
}

/** The end, if a page of a numbered listing is the last; null if a further page must be asked for. */
function endOf(state: PageState): Step | null {
  const { facts, page, count, total, pageSize, fullPage } = state;
  const { more } = facts;
  if (more?.value === true) return null;
  if (count === 0) return last('empty');
  if (more !== null) return last('said');
  // A total that was counted earlier may end where a page does: behind a full one there may be another.
  if (total !== null) return lacks(state) || (page > 0 && count >= pageSize) ? null : last('total');
  return fullPage !== null && count < fullPage ? last('short') : null;
}

/** True if records of the declared total are missing. */
function lacks({ total, items }: PageState): boolean {
  return total !== null && items < total;
}

/** The error if a page says the number of an earlier one, for then the server does not read the parameter. */
function stuckAt({ facts, style, page }: PageState, role: 'page' | 'offset', expected: number): Step | null {
  const said = facts.numbers[role satisfies NumberRole];
  if (page === 0 || said === undefined || said.value === expected) return null;
  return unproven(
    `The parameter ${style.param} is not followed: page ${page + 1} says ${said.name} ${said.value}, not ${expected}`,
  );
}

function go({ target }: PageState, query: Readonly<Record<string, string>>, promised: boolean): Step {
  return { kind: 'go', target: { path: target.path, query: { ...target.query, ...query } }, promised };
}

function last(by: End): Step {
  return { kind: 'last', by };
}

function promise(name: string): string {
  return `${name} says that there is more, and nothing says how to ask for it`;
}

function unproven(what: string): Step {
  return { kind: 'error', code: 'PAGING_UNPROVEN', what };
}

/** The cures of a step's error. Behind a proxy a link may have the server's inner address: its query is right. */
export function curesOfStep(
  code: ApiCode,
  { facts, resource }: { readonly facts: PageFacts | null; readonly resource: string },
): readonly Cure[] | undefined {
  const next = facts?.nextUrl ?? null;
  if (code === 'PAGING_UNPROVEN' && facts?.more?.value === true && facts.unexplained.length === 0) {
    const other = { setting: `resources.${resource}.ignore`, choices: [[facts.more.name]] };
    return [...curesOf(code, resource), { ...other, when: 'it is about something else' }];
  }
  if (code !== 'PAGING_OTHER_ORIGIN' || next === null) return undefined;
  const choice = next.style === 'link' ? 'link:next' : `next@${next.name}`;
  const token = facts?.token ?? null;
  const cursor = token && `cursor:${paramOfToken(token.name)}@${token.name}`;
  return [
    ...(cursor === null
      ? []
      : [{ setting: `resources.${resource}.paging`, choices: [cursor], when: 'its parameter is right' }]),
    {
      setting: `resources.${resource}.paging`,
      choices: [choice],
      when: 'the link has the inner address of a proxy: only its query is used',
    },
    ...curesOf(code, resource),
  ];
}
