import type { PagingStyle } from '../../config/paging-style.ts';
import { createParentField, type ParentField } from './parent-field.ts';

/**
 * What the listings of a batch's parents have shown about how the server pages. One object is shared by the listings of a resource, so
 * that what one has shown is asked about once.
 */
export interface Siblings {
  /** Numbered pages, of which the first was requested by its number; null while none was. */
  readonly style: () => PagingStyle | null;
  /** The parameter behind which a token has led to other records. */
  readonly cursorParam: () => string | null;
  readonly note: (shown: {
    readonly style: PagingStyle;
    readonly base: number;
    readonly wasNumbered: boolean;
  }) => void;
  /** Whether the page behind one with so many records is looked at: each new longest answer is, a few times. */
  readonly mayLook: (records: number) => boolean;
  /** Whether usual ways to further records are tried behind one with so many: once for each new greatest number. */
  readonly mayTry: (records: number) => boolean;
  /** Numbered pages by which other listings of the source were read; null where there are none. */
  readonly elsewhere: PagingStyle | null;
  readonly parentField: ParentField;
}

/** A page of one record is no page size. */
const LOOKED_FROM = 2;
/** Ten answers of the same length with nothing behind them are no chance. */
const LOOKS_AT_MOST = 10;

/** `elsewhere`: numbered pages by which other listings of the source were read; `parentWord`: the API's own word for the parent. */
export function createSiblings(
  elsewhere: PagingStyle | null = null,
  parentWord: string | null = null,
): Siblings {
  let numbered: PagingStyle | null = null;
  let cursor: string | null = null;
  let longest = LOOKED_FROM;
  let looks = 0;
  let tried = LOOKED_FROM;
  return {
    elsewhere,
    parentField: createParentField(parentWord),
    style: () => numbered,
    cursorParam: () => cursor,
    note: ({ style, base, wasNumbered }) => {
      if (style.name === 'cursor') cursor ??= style.param;
      else if (wasNumbered && style.param !== '' && style.name !== 'range')
        numbered ??= { ...style, start: base };
    },
    mayLook: (records) => {
      if (records > longest) [longest, looks] = [records, 0];
      if (records < longest || looks >= LOOKS_AT_MOST) return false;
      looks += 1;
      return true;
    },
    mayTry: (records) => {
      const isNew = records > tried;
      if (isNew) tried = records;
      return isNew;
    },
  };
}
