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
/** As many longest answers of one length are a sign that the server cuts there. */
const PILE = 3;

/** `elsewhere`: the numbered paging of other listings; `parentWord`: the API's own word for the parent. */
export function createSiblings(elsewhere: PagingStyle | null = null, parentWord: string | null = null) {
  let numbered: PagingStyle | null = null;
  let cursor: string | null = null;
  let longest = LOOKED_FROM;
  let looks = 0;
  let greatest = { records: LOOKED_FROM, alike: 0, isTried: true };
  return {
    /** The numbered paging by which other listings of the source were read; null without one. */
    elsewhere,
    otherParent: createParentField(parentWord),
    /** The style of numbered pages where the first was requested by its number; null without one. */
    style: (): PagingStyle | null => numbered,
    /** The parameter of a token that has led to other records. */
    cursorParam: (): string | null => cursor,
    note: (style: PagingStyle, wasNumbered: boolean): void => {
      if (style.name === 'cursor') cursor ??= style.param;
      else if (wasNumbered && style.param !== '' && style.name !== 'range') numbered ??= style;
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
    /** True where usual ways to more are tried: once for each new greatest number, if it is likely or has a pile. */
    mayTry: (records: number, { isLikely }: { readonly isLikely: boolean }): boolean => {
      if (records > greatest.records) greatest = { records, alike: 0, isTried: false };
      if (records < greatest.records || greatest.isTried) return false;
      greatest.alike += 1;
      greatest.isTried = isLikely || greatest.alike >= PILE;
      return greatest.isTried;
    },
  };
}

/** The fewest parents with the id in their records: less may be chance. */
const PROVEN_BY = 5;
/** After this many answers without such a field the search ends. */
const LOOKED_AT_MOST = 50;

/**
 * Finds the field in which all records of an answer name another parent than the requested one; null without one.
 * `word` is the API's parent, such as `Player`. At first a screen's own `Id` may equal its player's.
 */
function createParentField(word: string | null) {
  const named = new RegExp(`(^|[^a-z])(${word ?? 'parent'}|owner|parent)[-_]?id$`, 'i');
  /** How many answers agreed with their parents; a field that differed before it was proven is none. */
  const agreed = new Map<string, number>();
  let looked = 0;
  return (records: readonly unknown[], parentId: string): string | null => {
    if (agreed.size === 0 && looked >= LOOKED_AT_MOST) return null;
    looked += 1;
    for (const field of Object.keys(Object(records[0])).filter((name) => named.test(name))) {
      const others = records.filter((record) => String(Object(record)[field]) !== parentId).length;
      const times = agreed.get(field) ?? 0;
      if (others === records.length && times >= PROVEN_BY) return field;
      if (times < PROVEN_BY || others === 0)
        agreed.set(field, others === 0 ? times + 1 : Number.NEGATIVE_INFINITY);
    }
    return null;
  };
}
