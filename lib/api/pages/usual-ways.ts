import type { Said, Signals } from '../read/said.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { Page, Reading } from './reading.ts';
import type { Step } from './step.ts';
import { lowerFirst, ownName, paramOfPage, spelled } from './style-of-signals.ts';
import { isRoundNumber } from './totals.ts';

/** Fewer records than any server cuts at. */
const FEW = 8;
/** Larger pages without a word about pages are not compared. */
const MANY = 10_000;

/** A way to more pages. One call has all names of its parameter: a server ignores unknown ones. */
export interface Way {
  readonly name: 'page' | 'offset';
  readonly params: readonly string[];
  readonly value: string;
  /** The numbers that the first page may have. */
  readonly bases: readonly number[];
}

/**
 * The ways to try. A new listing, one of a round number, and one that would lose records get the usual ways, and so do
 * the longest children, and what says the number of its page. Children get the way of other listings, if there is one.
 */
export function waysOf(
  { asked }: Reading,
  { page: { signals, count }, step }: { readonly page: Page; readonly step: Step },
): readonly Way[] {
  const { contract, resource, siblings } = asked;
  const kind = numberedBy(signals);
  const isSilent = step.kind !== 'stuck' && kind === null;
  const isRound = isRoundNumber(count);
  if (resource.parent === null) {
    const { pageSize, limit } = signals.numbers;
    const isFull = (pageSize ?? limit)?.value === count;
    const isDue = contract === undefined || isRound || isFull || count < (contract.wholeItems ?? 0);
    if (isSilent && (!isDue || count > MANY || (count < FEW && !isFull))) return [];
    return usualWays(signals, count);
  }
  const { elsewhere } = siblings;
  // An answer that counts its pages has more of them sooner than one of a round number of records.
  const isTried =
    kind === null
      ? count >= FEW && siblings.mayTry(count, { isLikely: isRound || elsewhere !== null })
      : siblings.mayLook(count);
  if (step.kind !== 'stuck' && !isTried) return [];
  if (elsewhere === null || (kind !== null && kind !== elsewhere.name)) return usualWays(signals, count);
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

/** Of an answer with a number its own way, at first by the likeliest name alone; else all ways. */
function usualWays(signals: Signals, count: number): readonly Way[] {
  const { page, offset } = signals.numbers;
  const kind = numberedBy(signals);
  const bases = page === undefined ? [1, 0] : [page.value];
  const pages = withOwn(PAGE_PARAMS, page && paramOfPage(page.name), page);
  const from = offset?.value ?? 0;
  const offsets = withOwn(OFFSET_PARAMS, offset && lowerFirst(ownName(offset.name)), offset);
  const ways: readonly Way[] = [
    { name: 'page', params: pages, value: String((bases[0] ?? 1) + 1), bases },
    { name: 'offset', params: offsets, value: String(from + count), bases: [from] },
    // Pages that count from 0 may have no page 2.
    { name: 'page', params: pages, value: '1', bases: [0] },
  ];
  if (kind === null) return ways;
  const own = ways.find(({ name }) => name === kind);
  return own === undefined ? [] : [{ ...own, params: own.params.slice(0, 1) }, own];
}

/** The likeliest name, the name of the number as the answer writes it, such as `PageNumber`, and the usual names. */
function withOwn(
  usual: readonly string[],
  likely: string | undefined,
  number: Said<number> | undefined,
): readonly string[] {
  if (likely === undefined || number === undefined) return usual;
  return [...new Set([spelled(likely, usual), ownName(number.name), ...usual])];
}
