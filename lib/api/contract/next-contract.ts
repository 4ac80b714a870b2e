import { renderPaging } from '../../config/paging-style.ts';
import type { PagesRead } from '../pages/reading.ts';
import type { Contract } from './contract.ts';
import { type FactTexts, factsKept } from './fact-texts.ts';

/** The contract for later runs. It has facts and the number of records only without a doubt. */
export function nextContract(
  read: PagesRead,
  known: {
    readonly before: Contract | undefined;
    readonly envelope: string;
    readonly keys: readonly string[] | undefined;
    readonly isInDoubt: boolean;
    /** Null for children: their facts are counted over all parents. */
    readonly texts: FactTexts | null;
  },
): Contract {
  const { style, base, items, pageSize, totals, wasNumbered, opening } = read;
  const { before, isInDoubt, texts } = known;
  const total = totals.name();
  const facts = texts === null || isInDoubt ? (before?.facts ?? {}) : factsKept(before?.facts ?? {}, texts);
  const wholeItems = texts === null ? undefined : isInDoubt ? before?.wholeItems : items;
  const isNumbered = style.name === 'page' || style.name === 'offset';
  const isFollowed = items > pageSize;
  return {
    envelope: known.envelope,
    ...(known.keys && { keys: known.keys }),
    convention: opening.signals.convention,
    paging: renderPaging(style),
    ...(total !== null && { total }),
    ...(isFollowed && { pageSize }),
    ...(isNumbered && (wasNumbered || isFollowed) && { firstPage: base }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(wholeItems !== undefined && { wholeItems }),
    ...(totals.moved() && { isMoved: true }),
    ...(totals.moved() && totals.isAbove(items) && { isBelow: true }),
    ...(isInDoubt && { isCapSuspected: true }),
  };
}
