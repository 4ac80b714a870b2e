/**
 * What the listings of a batch's parents have shown about how the server pages. One object is shared by the listings of a
 * resource, so that what one has shown is asked about once.
 */
export interface Shown {
  /** Whether a first page has come by the parameter: then the server reads it. */
  readonly isRead: (param: string) => boolean;
  readonly noteRead: (param: string) => void;
  /** Whether the flag has shown that it ends listings, such as `hasMore`, which is false on the last page. */
  readonly isEnd: (flag: string) => boolean;
  readonly noteEnd: (flag: string) => void;
  /** Whether a listing of one page with so many records, which is among the longest, is asked for by its number too. It counts as asked for. */
  readonly takeLook: (records: number) => boolean;
}

/** No server gives one record a page. */
const LOOKED_FROM = 2;
/**
 * Looks at listings of the same length: where a plain call gives 8 records at most, and a number 10, some of those with 8 have no
 * more, and ten such are no chance.
 */
const LOOKS_AT_MOST = 10;

export function createShown(): Shown {
  const read = new Set<string>();
  const ends = new Set<string>();
  let longest = LOOKED_FROM;
  let looks = 0;
  return {
    isRead: (param) => read.has(param),
    noteRead: (param) => void read.add(param),
    isEnd: (flag) => ends.has(flag),
    noteEnd: (flag) => void ends.add(flag),
    takeLook: (records) => {
      if (records > longest) [longest, looks] = [records, 0];
      if (records < longest || looks >= LOOKS_AT_MOST) return false;
      looks += 1;
      return true;
    },
  };
}
