import type { Dialect } from '../dialect.ts';
import type { End } from './page-step.ts';
import { OFFSETS, PAGES } from './usual-params.ts';

/** A usual way to ask for further pages. */
interface FurtherTry {
  /** As the setting `paging` writes it. */
  readonly style: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Parameters of a kind that are tried: those that most APIs have. */
const TRIED = 4;
/** Fewer records than any server cuts at. */
const FEW = 8;
/** More are not compared; at 100 bytes a record's trace, they are 1 MB. */
const COMPARED_AT_MOST = 10_000;

/** A listing that has ended. */
export interface EndedListing {
  readonly by: End;
  readonly items: number;
  /** From 0. */
  readonly page: number;
  readonly lock: Dialect | undefined;
}

/** The usual ways to further pages, of a listing in which nothing speaks of pages. */
export interface FurtherTries {
  /** Whether records are to be compared with those that the tries lead to. */
  readonly areCompared: (records: number) => boolean;
  /** Whether the listing is asked for further pages. */
  readonly areDue: (ended: EndedListing) => boolean;
  /** The query of the next try; null behind the last. */
  readonly next: () => FurtherTry['query'] | null;
  /** True while pages are asked for of which nothing speaks: whatever comes of it, the listing is read. */
  readonly isTrying: () => boolean;
  /** The queries behind that of the present try, once the first has been answered: a server that fails is asked no more. */
  readonly ahead: () => readonly FurtherTry['query'][];
  /** Notes whether the try has led to other records; with `isLast`, none is tried any more. */
  readonly end: (isFurther: boolean, isLast?: boolean) => void;
  /** The style of the try that has led to other records; null where none has. */
  readonly further: () => string | null;
}

/**
 * Tries usual parameters on a listing that says nothing of pages, for its records may be the first page alone. Without a lock
 * always; with one where its number of records is one at which servers cut, so that a fleet that has grown to it is noticed.
 */
export function createFurtherTries(mayBeSilent: boolean): FurtherTries {
  let tries: readonly FurtherTry[] | null = null;
  let trying: FurtherTry | null = null;
  let further: string | null = null;
  let isAnswered = false;
  return {
    areCompared: (records) => mayBeSilent && records <= COMPARED_AT_MOST,
    areDue: ({ by, items, page, lock }) => {
      const isSilent = mayBeSilent && by === 'nothing' && page === 0;
      if (!isSilent || items < FEW || items > COMPARED_AT_MOST) return false;
      tries = triesBehind(items);
      return lock === undefined || (lock.paging === 'none' && isNearRound(items));
    },
    next: () => {
      const [one = null, ...rest] = tries ?? [];
      [trying, tries] = [one, rest];
      return one?.query ?? null;
    },
    isTrying: () => trying !== null,
    ahead: () => (isAnswered && trying !== null ? (tries ?? []).map(({ query }) => query) : []),
    end: (isFurther, isLast = false) => {
      isAnswered = trying !== null;
      if (isFurther) further = trying?.style ?? null;
      if (isFurther || isLast) tries = [];
    },
    further: () => further,
  };
}

/** The ways behind so many records, the most usual first. */
function triesBehind(items: number): readonly FurtherTry[] {
  const pages = PAGES.slice(0, TRIED);
  const tries = (params: readonly string[], kind: string, value: string): readonly FurtherTry[] =>
    params.map((param) => ({ style: `${kind}:${param}`, query: { [param]: value } }));
  return [
    ...tries(pages, 'page', '2'),
    ...tries(OFFSETS.slice(0, TRIED), 'offset', String(items)),
    // Pages that are counted from 0 may have no page 2.
    ...tries(pages, 'page', '1'),
  ];
}

/** True for 30, 24 and 128, and for 29 and 127. */
function isNearRound(count: number): boolean {
  return [count, count + 1].some(
    (each) => each % 10 === 0 || each % 12 === 0 || Number.isInteger(Math.log2(each)),
  );
}
