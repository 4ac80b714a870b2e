import type { Signals } from '../read/said.ts';
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
  return [
    wayOf(elsewhere.name === 'page' ? 'page' : 'offset', [elsewhere.param], elsewhere.start ?? 0, count),
  ];
}

/** Whether a page says its number, or that of its first record. */
export function numberedBy({ numbers: { page, offset } }: Signals): Way['name'] | null {
  if (page !== undefined) return 'page';
  return offset === undefined ? null : 'offset';
}

/** The way to what is behind a first page with this number and so many records. */
export function wayOf(name: Way['name'], params: readonly string[], base: number, count: number): Way {
  return { name, params, value: String(base + (name === 'page' ? 1 : count)), bases: [base] };
}

/** Of an answer with a number its own way, at first by the likeliest name alone; else all ways. */
function usualWays({ numbers: { page, offset } }: Signals, count: number): readonly Way[] {
  if (page !== undefined) {
    const names = [spelled(paramOfPage(page.name), PAGE_PARAMS), ownName(page.name), ...PAGE_PARAMS];
    return likeliestFirst(wayOf('page', [...new Set(names)], page.value, count));
  }
  if (offset !== undefined) {
    const own = ownName(offset.name);
    const names = [spelled(lowerFirst(own), OFFSET_PARAMS), own, ...OFFSET_PARAMS];
    return likeliestFirst(wayOf('offset', [...new Set(names)], offset.value, count));
  }
  return [
    { ...wayOf('page', PAGE_PARAMS, 1, count), bases: [1, 0] },
    wayOf('offset', OFFSET_PARAMS, 0, count),
    // Pages that count from 0 may have no page 2.
    wayOf('page', PAGE_PARAMS, 0, count),
  ];
}

function likeliestFirst(way: Way): readonly Way[] {
  return [{ ...way, params: way.params.slice(0, 1) }, way];
}
