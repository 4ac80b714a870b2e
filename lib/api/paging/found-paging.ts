import { type PagingStyle, renderPaging } from '../../config/paging-style.ts';
import type { Times } from '../compared/times.ts';
import { wordsKnown } from '../compared/word-of.ts';
import type { Dialect } from '../dialect.ts';
import type { Totals } from './totals.ts';

/** The most names that a lock keeps; an envelope has a few. */
const NAMES_KEPT = 100;

/** What was found while a listing was read. */
export interface ReadListing {
  readonly lock: Dialect | undefined;
  readonly style: PagingStyle;
  readonly isSet: boolean;
  readonly totals: Totals;
  /** Of the last page, from 0. */
  readonly page: number;
  readonly items: number;
  /** Records on the first page. */
  readonly pageSize: number;
  /** The first page's number or offset. */
  readonly base: number;
  readonly hasEnded: boolean;
  readonly isInDoubt: boolean;
  /** The names of what stands beside the records of the first page. */
  readonly names: readonly string[];
  /** What flags say that no word explains, or that the config ignores. */
  readonly flags: readonly string[];
  /** What words say, as `wordOf` has it; for a listing without parent. */
  readonly words: readonly string[];
  /** The times beside the records; for a listing without parent. */
  readonly times?: Times;
  /** Whether a later page declares fewer pages. */
  readonly isShrunk: boolean;
  /** Records on all pages, whatever the setting says of them; for a listing without parent. */
  readonly wholeItems?: number;
}

/** What the pages of a listing show of its dialect. */
export function foundPaging(read: ReadListing): Omit<Dialect, 'envelope'> {
  const { lock, style, isSet, totals, page, items, pageSize, base, hasEnded, isInDoubt } = read;
  const total = totals.name();
  const evidence = [
    `paging ${style.name} by ${isSet ? 'the setting' : 'what the first page says'}`,
    page === 0 ? 'one page' : `${page + 1} pages, each with other records`,
    ...(hasEnded && total !== null ? [`${total} declares the ${items} records that came`] : []),
    ...(total === null ? ['no total declared'] : []),
  ];
  // What is in question today is known tomorrow only if somebody has said what it is.
  const kept = (before: readonly string[] = [], now: readonly string[]) =>
    [...new Set([...before, ...(isInDoubt ? [] : now)])].slice(0, NAMES_KEPT);
  const beside = kept(lock?.beside, read.names);
  const flags = kept(lock?.flags, read.flags);
  const words = wordsKnown(lock?.words ?? [], isInDoubt ? [] : read.words).slice(0, NAMES_KEPT);
  const times = { ...lock?.times, ...(isInDoubt ? {} : read.times) };
  const wholeItems = isInDoubt ? lock?.wholeItems : read.wholeItems;
  return {
    paging: renderPaging(style),
    ...(total === null ? {} : { total }),
    // An empty page behind the first shows nothing of their size, nor that its parameter is read.
    ...(items > pageSize && { pageSize }),
    ...(style.name === 'page' && page > 0 && { firstPage: base }),
    ...(beside.length > 0 && { beside }),
    ...(flags.length > 0 && { flags }),
    ...(words.length > 0 && { words }),
    ...(Object.keys(times).length > 0 && { times }),
    ...(wholeItems !== undefined && { wholeItems }),
    ...(isInDoubt && { isCapSuspected: true }),
    ...((totals.moved() || read.isShrunk) && { isMoved: true }),
    ...(((totals.moved() && totals.isAbove(items)) || read.isShrunk) && { isBelow: true }),
    evidence,
  };
}
