import type { PagingStyle, StyleName } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';
import type { ApiCode } from '../codes.ts';
import type { PageFacts } from './page-facts.ts';
import type { NumberRole } from './page-roles.ts';

/** What comes behind a page. */
export type Step =
  | { readonly kind: 'last' }
  | { readonly kind: 'go'; readonly target: Target }
  | { readonly kind: 'error'; readonly code: ApiCode; readonly what: string };

/** A page that has been read, and what is known about its listing. */
export interface PageState {
  readonly style: PagingStyle;
  readonly facts: PageFacts;
  /** The source's origin. */
  readonly baseUrl: string;
  /** What this page was asked with. */
  readonly target: Target;
  /** From 0. */
  readonly page: number;
  /** Records on this page, and on all so far. */
  readonly count: number;
  readonly items: number;
  /** The first page's number or offset. */
  readonly base: number;
  /** Records on the first page. */
  readonly pageSize: number;
  readonly total: number | null;
}

const LAST: Step = { kind: 'last' };

const STEPS: Readonly<Record<StyleName, (state: PageState) => Step>> = {
  none: ({ facts, items, total }) => {
    if (facts.more?.value === true)
      return unproven(`${facts.more.name} says that there is more, and nothing says how to ask for it`);
    if (total === null || total <= items) return LAST;
    return unproven(
      `The server declares ${total} records and gave ${items}, and nothing says how to ask for the rest`,
    );
  },
  link: nextUrlStep,
  next: nextUrlStep,
  cursor: (state) => {
    const { facts, style, count, target } = state;
    // An empty page that names itself as the next one says that there is nothing further.
    if (count === 0 && facts.token?.value === target.query[style.param] && facts.more?.value !== true)
      return LAST;
    if (facts.token !== null && facts.more?.value !== false)
      return go(state, { [style.param]: facts.token.value });
    return endUnlessMore(facts);
  },
  page: (state) => {
    const { facts, style, page, base } = state;
    const { pages } = facts.numbers;
    const current = base + page;
    const stuck = stuckAt(state, 'page', current);
    if (stuck !== null) return stuck;
    // A listing that counts from 0 has page number pages - 1 as its last.
    if (pages !== undefined && facts.more === null) {
      return current >= pages.value - (base === 0 ? 1 : 0)
        ? LAST
        : go(state, { [style.param]: String(current + 1) });
    }
    return isLast(state, facts.numbers.pageSize?.value)
      ? LAST
      : go(state, { [style.param]: String(current + 1) });
  },
  offset: (state) => {
    const { facts, style, items, count, base } = state;
    const stuck = stuckAt(state, 'offset', base + items - count);
    if (stuck !== null) return stuck;
    return isLast(state, facts.numbers.limit?.value)
      ? LAST
      : go(state, { [style.param]: String(base + items) });
  },
};

/** What to do behind a page, as its style and facts have it. */
export function stepOf(state: PageState): Step {
  return STEPS[state.style.name](state);
}

/** Of a next address only path and query are used, so that the key cannot be sent elsewhere. */
function nextUrlStep({ facts, baseUrl, target }: PageState): Step {
  if (facts.nextUrl === null) return endUnlessMore(facts);
  const base = new URL(baseUrl);
  const asked = new URL(target.path, base);
  const next = URL.parse(facts.nextUrl.value, asked.href);
  if (next === null) return unproven(`${facts.nextUrl.name} is no address`);
  if (next.origin === base.origin) {
    const path = namesAsked(facts.nextUrl.value, asked.pathname) ? asked.pathname : next.pathname;
    return { kind: 'go', target: { path: `${path}${next.search}`, query: {} } };
  }
  return {
    kind: 'error',
    code: 'PAGING_OTHER_ORIGIN',
    what: `${facts.nextUrl.name} leads to another origin`,
  };
}

/**
 * Whether an address names the path that was asked for, without what stands before it: behind a proxy that takes `/proxy`
 * off, the server links to `/1/backup?page=2` where `/proxy/1/backup` was asked; Eve links to `players/1/screens?page=2`,
 * which begins at the root of its API.
 */
function namesAsked(address: string, asked: string): boolean {
  const [path = ''] = address.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  return path !== '' && asked.endsWith(path.startsWith('/') ? path : `/${path}`);
}

function endUnlessMore({ more }: PageFacts): Step {
  return more?.value === true
    ? unproven(`${more.name} says that there is more, and nothing says how to ask for it`)
    : LAST;
}

/** Whether a page of a numbered listing is the last: what the server says, else its total, else its page's size. */
function isLast(
  { facts, pageSize, count, items, total, style }: PageState,
  declaredSize: number | undefined,
): boolean {
  if (count === 0) return true;
  if (facts.more !== null) return !facts.more.value;
  if (total !== null) return items >= total;
  // A first page that is shorter than what was asked for may be as long as the server gives at most.
  const size = style.size === null ? declaredSize : Math.min(style.size.value, pageSize);
  return size !== undefined && count < size;
}

/** A server that still says the number of an earlier page has not read the parameter. */
function stuckAt({ facts, style, page }: PageState, role: NumberRole, expected: number): Step | null {
  const said = facts.numbers[role];
  if (page === 0 || said === undefined || said.value === expected) return null;
  return unproven(
    `The parameter ${style.param} is not followed: page ${page + 1} says ${said.name} ${said.value}, not ${expected}`,
  );
}

function go({ target }: PageState, query: Readonly<Record<string, string>>): Step {
  return { kind: 'go', target: { path: target.path, query: { ...target.query, ...query } } };
}

function unproven(what: string): Step {
  return { kind: 'error', code: 'PAGING_UNPROVEN', what };
}
