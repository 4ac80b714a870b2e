import type { PagingStyle } from '../../config/paging-style.ts';

/**
 * The server's paging, as the listings of a batch's parents have shown it. The listings of a resource share
 * one object, so nothing is asked twice.
 */
export type Siblings = ReturnType<typeof createSiblings>;

/** A page of one record is not a page size. */
const LOOKED_FROM = 2;
/** Ten answers of the same length with nothing after them are not chance. */
const LOOKS_AT_MOST = 10;

/** `elsewhere`: the numbered paging of other listings. */
export function createSiblings(elsewhere: PagingStyle | null = null) {
  let numbered: PagingStyle | null = null;
  let cursor: string | null = null;
  let longest = LOOKED_FROM;
  let looks = 0;
  return {
    /** The numbered paging by which other listings of the source were read; null without one. */
    elsewhere,
    /** The style of numbered pages where the first was requested by its number; null without one. */
    style: (): PagingStyle | null => numbered,
    /** The parameter of a token that has led to other records. */
    cursorParam: (): string | null => cursor,
    note: ({
      style,
      base,
      wasNumbered,
    }: {
      readonly style: PagingStyle;
      readonly base: number;
      readonly wasNumbered: boolean;
    }): void => {
      if (style.name === 'cursor') cursor ??= style.param;
      else if (wasNumbered && style.param !== '' && style.name !== 'range')
        numbered ??= { ...style, start: base };
    },
    /**
     * True where the page after this many records is requested: a few times, after a new longest answer. A first
     * page that came before the others showed pages is looked behind in any case.
     */
    mayLook: (records: number): boolean => {
      if (numbered !== null) return true;
      if (records > longest) [longest, looks] = [records, 0];
      if (records < longest || looks >= LOOKS_AT_MOST) return false;
      looks += 1;
      return true;
    },
  };
}
