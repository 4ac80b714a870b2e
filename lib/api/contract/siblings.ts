import type { PagingStyle } from '../../config/paging-style.ts';
import { createParentField, type ParentField } from './parent-field.ts';

/**
 * The server's paging, as the listings of a batch's parents have shown it. The listings of a resource share
 * one object, so nothing is asked twice.
 */
export interface Siblings {
  /** The style of numbered pages where the first was requested by its number; null without one. */
  readonly style: () => PagingStyle | null;
  /** The parameter of a token that has led to other records. */
  readonly cursorParam: () => string | null;
  readonly note: (shown: {
    readonly style: PagingStyle;
    readonly base: number;
    readonly wasNumbered: boolean;
  }) => void;
  /** True where the page after this many records is requested: a few times, after a new longest answer. */
  readonly mayLook: (records: number) => boolean;
  /** True where usual ways to more records are tried: once for each new greatest number. */
  readonly mayTry: (records: number) => boolean;
  /** The numbered paging by which other listings of the source were read; null without one. */
  readonly elsewhere: PagingStyle | null;
  readonly parentField: ParentField;
}

/** A page of one record is not a page size. */
const LOOKED_FROM = 2;
/** Ten answers of the same length with nothing after them are not chance. */
const LOOKS_AT_MOST = 10;

/** `elsewhere`: the numbered paging of other listings; `parentWord`: the API's own word for the parent. */
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
