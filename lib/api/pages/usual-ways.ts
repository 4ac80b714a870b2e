import type { Said, Signals } from '../read/said.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { Page, Reading } from './reading.ts';
import type { Step } from './step.ts';
import { ownName } from './style-of-signals.ts';
import { isRoundNumber } from './totals.ts';

/** Fewer records than any server cuts at. */
const FEW = 8;
/** A way to more pages. One call has all names of its parameter: a server ignores unknown ones. */
export interface Way {
  readonly name: 'page' | 'offset';
  readonly params: readonly string[];
  readonly value: string;
  /** The numbers that the first page may have. */
  readonly bases: readonly number[];
}

/**
 * The ways to try. A new listing, one of a round number, and one that would lose records get the usual ways. The
 * longest children, and those that announce more, get the way of other listings; without one, the usual ways.
 */
export function waysOf(
  { asked }: Reading,
  { page: { signals, count }, step }: { readonly page: Page; readonly step: Step },
): readonly Way[] {
  const { contract, resource, siblings } = asked;
  const isStuck = step.kind === 'stuck';
  const kind = numberedBy(signals);
  const isRound = isRoundNumber(count);
  const all = usualWays(signals, count);
  const usual = kind === null ? all : all.filter(({ name }) => name === kind).slice(0, 1);
  if (resource.parent === null) {
    const { pageSize, limit } = signals.numbers;
    const isDue = contract === undefined || isRound || kind !== null || count < (contract.wholeItems ?? 0);
    const isFull = (pageSize ?? limit)?.value === count;
    return isStuck || (isDue && (count >= FEW || isFull || kind !== null)) ? usual : [];
  }
  const { elsewhere } = siblings;
  if (elsewhere === null) {
    // FastAPI's tutorial cuts at 100, and its players may be fewer.
    if (kind === null && count < FEW) return [];
    // An answer that counts its pages has more of them sooner than one of a round number of records.
    const isTried = kind === null ? siblings.mayTry(count, { isLikely: isRound }) : siblings.mayLook(count);
    return isStuck || isTried ? usual : [];
  }
  if (!isStuck && (count < FEW || !siblings.mayTry(count, { isLikely: true }))) return [];
  const { name, param, start } = elsewhere;
  const base = start ?? 0;
  return name === 'page'
    ? [{ name, params: [param], value: String(base + 1), bases: [base] }]
    : [{ name: 'offset', params: [param], value: String(count), bases: [0] }];
}

/** Whether a page says its number, or that of its first record. */
export function numberedBy({ numbers: { page, offset } }: Signals): Way['name'] | null {
  if (page !== undefined) return 'page';
  return offset === undefined ? null : 'offset';
}

function usualWays({ numbers: { page, offset } }: Signals, count: number): readonly [Way, Way, Way] {
  const bases = page === undefined ? [1, 0] : [page.value];
  const pages = withOwn(PAGE_PARAMS, page);
  return [
    { name: 'page', params: pages, value: String((bases[0] ?? 1) + 1), bases },
    { name: 'offset', params: withOwn(OFFSET_PARAMS, offset), value: String(count), bases: [0] },
    // Pages that count from 0 may have no page 2.
    { name: 'page', params: pages, value: '1', bases: [0] },
  ];
}

/** The name of the number as the answer writes it, such as `PageNumber`, and the usual names. */
function withOwn(usual: readonly string[], number: Said<number> | undefined): readonly string[] {
  return number === undefined ? usual : [...new Set([ownName(number.name), ...usual])];
}
