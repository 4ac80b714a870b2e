import { lastFieldOf, type PagingStyle, type StyleName } from '../../config/paging-style.ts';
import { memberReader } from '../../fields.ts';
import type { Target } from '../../sources/resources.ts';
import type { ApiCode } from '../codes.ts';
import type { Signals } from '../read/said.ts';
import { kindOfValue } from '../read/value-kind.ts';
import type { Page, Proof, Reading } from './reading.ts';
import { addressTarget, countsOn, withParam } from './style-of-signals.ts';

export type Step =
  | { readonly kind: 'end'; readonly proof: Proof }
  /** `isPromised`: the server says that there is more; else the page is requested to find out. */
  | { readonly kind: 'go'; readonly target: Target; readonly isPromised: boolean }
  /** There is more, but the answer does not say how to get it. */
  | { readonly kind: 'stuck'; readonly code: ApiCode; readonly says: string };

/** True where nothing proves that the first page is all. */
export function isOpen(step: Step): boolean {
  return (
    step.kind === 'stuck' ||
    (step.kind === 'end' && (step.proof === 'nothing' || step.proof === 'own-length'))
  );
}

/** A page with counted records, and what is known about its listing. */
interface PageState
  extends Pick<
    Reading,
    'style' | 'page' | 'count' | 'items' | 'pageSize' | 'base' | 'isCountWrong' | 'isOnlyPage'
  > {
  readonly signals: Signals;
  /** The source's origin. */
  readonly baseUrl: string;
  readonly target: Target;
  /** The number of records of the listing, if pages declare more than their own length. */
  readonly total: number | null;
}

/** The state of a page with counted records. */
export function stateOf(reading: Reading, { target, signals }: Page, count = reading.count): PageState {
  const { style, isCountWrong, totals, asked } = reading;
  const own = withLastToken(signals, { style, last: count === 0 ? null : reading.last });
  const total = isCountWrong ? null : totals.latest();
  return { ...reading, signals: own, baseUrl: asked.baseUrl, target, count, total };
}

/** The signals where a field of the last record leads on (`cursor:starting_after@last:id`). */
function withLastToken(
  signals: Signals,
  { style, last }: { readonly style: PagingStyle; readonly last: unknown },
): Signals {
  const field = lastFieldOf(style);
  if (field === null) return signals;
  const [[, value] = ['', null]] = typeof last === 'object' && last !== null ? memberReader(field)(last) : [];
  const place = `last:${field}`;
  const isNone = kindOfValue(value) === 'nothing';
  const token = isNone ? null : { name: place, place, value: String(value) };
  return { ...signals, token, isEnded: isNone };
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

/** The step after a page, by its style and signals. */
export function stepOf(state: PageState): Step {
  if (state.isOnlyPage) return end('empty');
  return isAllAtEmpty(state) ? end('total') : STEPS[state.style.name](state);
}

/** True for a page without a record where the total is reached, if it is 0 too: some servers lead on for ever. */
function isAllAtEmpty({ count, items, total, signals: { more, totals } }: PageState): boolean {
  const isReached =
    items > 0 ? total === items : totals.length > 0 && totals.every(({ value }) => value === 0);
  return count === 0 && isReached && more?.value !== true;
}

function oneStep(state: PageState): Step {
  const { signals, items, total, count } = state;
  if (signals.more?.value === true) return stuck(promise(signals.more.name));
  if (total !== null && total > items)
    return stuck(
      `The server declares ${total} records and returned ${items}, and nothing says how to request the rest`,
    );
  if (signals.isEnded || signals.more !== null) return end('said');
  const { pages } = signals.numbers;
  if (pages !== undefined && isBefore(state, pages.value))
    return stuck(`${pages.name} is ${pages.value}, and nothing says how to request the other pages`);
  const isOwn = signals.totals.some(({ value }) => value === count) && count > 0;
  return end(isOwn ? 'own-length' : total === items ? 'total' : 'nothing');
}

/** A next address beats any word that says "no more". */
function addressStep(state: PageState): Step {
  const { signals, count, page } = state;
  if (signals.next === null) return endUnlessMore(state);
  const target = addressTarget(signals.next, state);
  if ('says' in target) return { kind: 'stuck', ...target };
  // Behind the last page some servers count on.
  const isCounted = (page > 0 || count === 0) && !isMore(state) && countsOn(target, state.target);
  return { kind: 'go', target, isPromised: signals.more?.value !== false && !isCounted };
}

function cursorStep(state: PageState): Step {
  const { signals, style, count, target, total, items } = state;
  const { token, more } = signals;
  if (token === null) return endUnlessMore(state);
  // The last page has an `endCursor` too.
  if (more?.value === false && (total === null || items >= total)) return end('said');
  if (count === 0 && token.value === target.query[style.param] && more?.value !== true) return end('empty');
  return go(state, token.value, true);
}

/** With links or cursors a page without one is the last. A first page without one proves nothing. */
function endUnlessMore({ signals: { more, isEnded }, page }: PageState): Step {
  if (more?.value === true) return stuck(promise(more.name));
  return end(page > 0 || isEnded || more !== null ? 'said' : 'nothing');
}

function pageStep(state: PageState): Step {
  const { signals, page, base, count, items, isCountWrong } = state;
  const current = base + page;
  const next = String(current + 1);
  const { pages } = signals.numbers;
  if (pages !== undefined && !isCountWrong) {
    if (isBefore(state, pages.value) || lacks(state)) return go(state, next, true);
    if (signals.more?.value !== true)
      return end(page === 0 && items === count && count > 0 ? 'own-length' : 'said');
  }
  return countedEnd(state) ?? go(state, next, isMore(state));
}

/** True before the last page: a listing that counts from 0 has page number `pages - 1` as its last. */
function isBefore({ base, page }: PageState, pages: number): boolean {
  return base + page < pages - (base === 0 ? 1 : 0);
}

function offsetStep(state: PageState): Step {
  return countedEnd(state) ?? go(state, String(state.base + state.items), isMore(state));
}

/** HTTP 206 with `Content-Range: items 0-19/34`: the next page is requested with `range=20-39`. */
function rangeStep(state: PageState): Step {
  const { items, pageSize } = state;
  return countedEnd(state) ?? go(state, `${items}-${items + Math.max(1, pageSize) - 1}`, isMore(state));
}

/** The end, if the counts of a numbered page show that it is the last; null if a further page is needed. */
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
  return { kind: 'go', target: withParam(target, style.param, value), isPromised };
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
