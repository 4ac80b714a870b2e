import type { Dialect } from '../dialect.ts';
import type { Compared } from './page-proof.ts';
import type { End } from './page-step.ts';
import { OFFSETS, PAGES } from './usual-params.ts';

/** A usual way to ask for further pages, or all those of a kind in one call. */
interface FurtherTry {
  /** As the setting `paging` writes them. */
  readonly styles: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** What a try has led to. `repeated`: records of the first page. `nothing`: a refusal, or no record at all. */
export type LedTo = 'further' | 'repeated' | 'nothing';

/** Parameters of a kind that are tried singly where a server takes them not together: those that most APIs have. */
const TRIED_SINGLY = 4;
/** Fewer records than any server cuts at. */
const FEW = 8;
/** More are not compared; at 100 bytes a record's trace, they are 1 MB. */
const COMPARED_AT_MOST = 10_000;

/** Where a try has led. Part of the first page may be what a filter has left of it, which would hide what another parameter gives. */
export function ledTo(count: number, { isFirst, isInFirst }: Compared): LedTo {
  if (isFirst) return 'repeated';
  return count > 0 && !isInFirst ? 'further' : 'nothing';
}

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
  /** The queries behind that of the present try: they need not wait for its answer. */
  readonly ahead: () => readonly FurtherTry['query'][];
  /** Notes what the try has led to; with `isLast`, none is tried any more. */
  readonly end: (led: LedTo, isLast?: boolean) => void;
  /** The style of the try that has led to other records, or the first of several that have only together; null where none has. */
  readonly further: () => string | null;
}

/**
 * Tries usual parameters on a listing that says nothing of pages, for its records may be the first page alone. Without a lock
 * always; with one where its number of records is one at which servers cut, so that a fleet that has grown to it is noticed.
 * All parameters of a kind go in one call, such as `?page=2&_page=2&pageNumber=2`: where that gives the first page again, the
 * server reads none of them. Where it gives anything else, they are tried one by one.
 */
export function createFurtherTries(mayBeSilent: boolean): FurtherTries {
  let tries: readonly FurtherTry[] | null = null;
  let trying: FurtherTry | null = null;
  let further: string | null = null;
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
    ahead: () => (trying === null ? [] : (tries ?? []).map(({ query }) => query)),
    end: (led, isLast = false) => {
      const isFurther = led === 'further';
      const { styles = [] } = trying ?? {};
      const isAlone = styles.length === 1;
      if (isFurther && (isAlone || further === null)) further = styles[0] ?? null;
      if (isLast || (isFurther && isAlone)) tries = [];
      else if (trying !== null && !isAlone && led !== 'repeated')
        tries = [...singly(trying, led), ...(isFurther ? [] : (tries ?? []))];
    },
    further: () => further,
  };
}

/** The ways behind so many records, the most usual first. */
function triesBehind(items: number): readonly FurtherTry[] {
  return [
    together(PAGES, 'page', '2'),
    together(OFFSETS, 'offset', String(items)),
    // Pages that are counted from 0 may have no page 2.
    together(PAGES, 'page', '1'),
  ];
}

/** A name in two cases is asked for once: a server that knows no case would read two values. */
function together(params: readonly string[], kind: string, value: string): FurtherTry {
  const once = new Map(params.toReversed().map((param) => [param.toLowerCase(), param]));
  const names = params.filter((param) => once.get(param.toLowerCase()) === param);
  return {
    styles: names.map((param) => `${kind}:${param}`),
    query: Object.fromEntries(names.map((param) => [param, value])),
  };
}

/** The ways of which one call tried all: behind further records each of them, for one of them has led there. */
function singly({ styles, query }: FurtherTry, led: LedTo): readonly FurtherTry[] {
  const each = Object.entries(query).map(([param, value], index) => ({
    styles: styles.slice(index, index + 1),
    query: { [param]: value },
  }));
  return led === 'further' ? each : each.slice(0, TRIED_SINGLY);
}

/** True for 30, 24 and 128, and for 29 and 127. */
function isNearRound(count: number): boolean {
  return [count, count + 1].some(
    (each) => each % 10 === 0 || each % 12 === 0 || Number.isInteger(Math.log2(each)),
  );
}
