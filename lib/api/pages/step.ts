import type { PagingStyle, StyleName } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';
import type { ApiCode } from '../codes.ts';
import type { Signals } from '../read/said.ts';
import { addressTarget } from './address-target.ts';

/**
 * What shows that a listing has no further page: a next or more that says no, a total that is reached, a page that is empty, repeats one
 * or is not there. `own-length`: a total or a number of pages that the page's own length gives. `nothing`: no word about pages.
 */
export type Proof =
  | 'said'
  | 'total'
  | 'empty'
  | 'repeated'
  | 'missing'
  | 'declared'
  | 'own-length'
  | 'nothing';

export type Step =
  | { readonly kind: 'end'; readonly proof: Proof }
  /** `isPromised`: the server says that there is more; else the page is requested to see whether there is. */
  | { readonly kind: 'go'; readonly target: Target; readonly isPromised: boolean }
  /** There is more, and nothing says how to get it. */
  | { readonly kind: 'stuck'; readonly code: ApiCode; readonly says: string };

/** Whether nothing proves that the first page is all. */
export function isOpen(step: Step): boolean {
  return (
    step.kind === 'stuck' ||
    (step.kind === 'end' && (step.proof === 'nothing' || step.proof === 'own-length'))
  );
}

/** A page that was read, and what is known about its listing. */
export interface PageState {
  readonly style: PagingStyle;
  readonly signals: Signals;
  /** The source's origin. */
  readonly baseUrl: string;
  /** The target of this page. */
  readonly target: Target;
  /** From 0. */
  readonly page: number;
  /** Records on this page, on all so far, and on the first page. */
  readonly count: number;
  readonly items: number;
  readonly pageSize: number;
  /** The first page's number or offset. */
  readonly base: number;
  /** The number of records of the listing, as far as pages declare more than their own length. */
  readonly total: number | null;
  /** Counts have been shown to be those of the page alone. */
  readonly isCountWrong: boolean;
}

const STEPS: Readonly<Record<StyleName, (state: PageState) => Step>> = {
  none: oneStep,
  link: addressStep,
  next: addressStep,
  cursor: cursorStep,
  page: pageStep,
  offset: offsetStep,
  range: rangeStep,
};

/** What to do after a page, by its style and signals. */
export function stepOf(state: PageState): Step {
  return STEPS[state.style.name](state);
}

function oneStep(state: PageState): Step {
  const { signals, items, total, count } = state;
  if (signals.more?.value === true) return stuck(promise(signals.more.name));
  if (total !== null && total > items)
    return stuck(
      `The server declares ${total} records and returned ${items}, and nothing says how to request the rest`,
    );
  if (signals.ended !== null || signals.more !== null) return end('said');
  const isOwn = signals.totals.some(({ value }) => value === count) && count > 0;
  return end(isOwn ? 'own-length' : total === items ? 'total' : 'nothing');
}

/** A next address beats any word that says "no more". */
function addressStep(state: PageState): Step {
  const { signals, count, items, total } = state;
  if (signals.next === null) return endUnlessMore(state);
  if (count === 0 && items > 0 && total === items) return end('total');
  const target = addressTarget(signals.next, state);
  if ('says' in target) return { kind: 'stuck', ...target };
  return { kind: 'go', target, isPromised: signals.more?.value !== false };
}

function cursorStep(state: PageState): Step {
  const { signals, style, count, target, total, items } = state;
  const { token, more } = signals;
  if (token === null) return endUnlessMore(state);
  // `endCursor` is that of the last page too.
  if (more?.value === false && (total === null || items >= total)) return end('said');
  if (count === 0 && token.value === target.query[style.param] && more?.value !== true) return end('empty');
  return go(state, token.value, true);
}

/** Behind links or cursors a page without one is the last. A first page without one proves nothing. */
function endUnlessMore({ signals: { more, ended }, page }: PageState): Step {
  if (more?.value === true) return stuck(promise(more.name));
  return end(page > 0 || ended !== null || more !== null ? 'said' : 'nothing');
}

function pageStep(state: PageState): Step {
  const { signals, style, page, base, count, items, isCountWrong } = state;
  const current = base + page;
  const { pages } = signals.numbers;
  const said = signals.numbers.page;
  if (page > 0 && said !== undefined && said.value !== current)
    return stuck(
      `The parameter ${style.param} is not followed: page ${page + 1} says ${said.name} ${said.value}, not ${current}`,
    );
  const next = String(current + 1);
  if (pages !== undefined && !isCountWrong) {
    // A listing that counts from 0 has page number pages - 1 as its last.
    if (current < pages.value - (base === 0 ? 1 : 0) || lacks(state)) return go(state, next, true);
    if (signals.more?.value !== true)
      return end(page === 0 && items === count && count > 0 ? 'own-length' : 'said');
  }
  return countedEnd(state) ?? go(state, next, isMore(state));
}

function offsetStep(state: PageState): Step {
  const { signals, style, page, items, count, base } = state;
  const said = signals.numbers.offset;
  if (page > 0 && said !== undefined && said.value !== base + items - count)
    return stuck(
      `The parameter ${style.param} is not followed: page ${page + 1} says ${said.name} ${said.value}`,
    );
  return countedEnd(state) ?? go(state, String(base + items), isMore(state));
}

/** HTTP 206 with `Content-Range: items 0-19/34`: the next page is requested with `range=20-39`. */
function rangeStep(state: PageState): Step {
  const { items, pageSize } = state;
  return countedEnd(state) ?? go(state, `${items}-${items + Math.max(1, pageSize) - 1}`, isMore(state));
}

/** The end, if a page of a numbered listing is the last by what it counts; null if a further page must be requested. */
function countedEnd({
  signals: { more, totals },
  count,
  items,
  total,
  page,
  isCountWrong,
}: PageState): Step | null {
  if (more?.value === true) return null;
  if (count === 0) return end('empty');
  if (more !== null) return end('said');
  if (isCountWrong) return null;
  if (total !== null) return items < total ? null : end('total');
  return page === 0 && totals.some(({ value }) => value === count) ? end('own-length') : null;
}

function isMore(state: PageState): boolean {
  return state.signals.more?.value === true || lacks(state);
}

function lacks({ total, items }: PageState): boolean {
  return total !== null && items < total;
}

function go({ target, style }: PageState, value: string, isPromised: boolean): Step {
  return {
    kind: 'go',
    target: { path: target.path, query: { ...target.query, [style.param]: value } },
    isPromised,
  };
}

function end(proof: Proof): Step {
  return { kind: 'end', proof };
}

function promise(name: string): string {
  return `${name} says that there is more, and nothing says how to request it`;
}

function stuck(says: string): Step {
  return { kind: 'stuck', code: 'PAGING_UNPROVEN', says };
}
