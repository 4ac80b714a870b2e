import { hash } from 'node:crypto';
import { fieldRank } from '../../fields.ts';
import { candidateNames } from '../../schema/record-key.ts';
import type { Resource } from '../../sources/resources.ts';

/** Tells new pages from repeated ones by their records. */
export interface PageProof {
  readonly add: (records: readonly unknown[]) => void;
  /** Ends the page, and compares it with those before. */
  readonly endPage: () => Compared;
  /**
   * How many records of a parent have come on an earlier page too, but for one that ends a page and begins the next. For a listing
   * without parent they are counted by their ids, where it is read.
   */
  readonly repeats: () => number;
}

export interface Compared {
  /** True: it repeats an earlier page. */
  readonly isRepeated: boolean;
  /** True: it repeats the first page. */
  readonly isFirst: boolean;
  /** True: all its records are on the first page. */
  readonly isInFirst: boolean;
  /** True: it begins with the record with which the page before ends, and no field is known to tell records apart. */
  readonly isOverlap: boolean;
}

/** Of a page whose records nobody has looked at. */
export const NOT_COMPARED: Compared = {
  isRepeated: false,
  isFirst: false,
  isInFirst: false,
  isOverlap: false,
};

/** A page as long as the first one repeats an earlier page if they share so many records; a moved record is no repeat. */
const REPEATED_SHARE = 0.5;
/** A field identifies records if it differs in so many records of a page. */
const DISTINCT_SHARE = 0.9;

interface Sketch {
  readonly ids: Set<string>;
  readonly contents: Set<string>;
  /** Of the records that have an id. */
  readonly identified: Set<string>;
  records: number;
  /** The hashes of the first and the last record. */
  begins?: string;
  ends?: string;
}

/** Compares the records of each page with the first page and the one before, and the whole page with all before. */
export function createPageProof(resource: Resource): PageProof {
  const rankOf = fieldRank(candidateNames(resource));
  const wholes = new Set<string>();
  const isChild = resource.parent !== null;
  const seen = new Set<string>();
  let repeats = 0;
  let first: Sketch | null = null;
  let before: Sketch | null = null;
  let page = emptySketch();

  return {
    add(records) {
      for (const record of records) {
        const id = idOf(record, rankOf);
        if (id !== null) page.ids.add(id);
        const content = digestOf(record);
        page.contents.add(content);
        if (isChild && id !== null) page.identified.add(content);
        page.begins ??= content;
        page.ends = content;
      }
      page.records += records.length;
    },
    endPage() {
      const ended = page;
      page = emptySketch();
      const whole = digestOf([...ended.contents]);
      const full = first !== null && ended.records > 0 && ended.records >= first.records;
      const isLike = (earlier: Sketch | null) => full && earlier !== null && areAlike(ended, earlier);
      const isFirst = isLike(first);
      const isRepeated = isFirst || isLike(before) || (ended.records > 0 && wholes.has(whole));
      const isInFirst = first !== null && ended.records > 0 && isWithin(ended, first);
      const isOverlap = ended.begins !== undefined && ended.begins === before?.ends && ended.ids.size === 0;
      if (!isRepeated) {
        // What ends the page before may begin this one: its next page is named by its last record.
        if (ended.begins !== undefined && ended.begins === before?.ends)
          ended.identified.delete(ended.begins);
        for (const each of ended.identified) if (seen.has(each)) repeats += 1;
        for (const each of ended.identified) seen.add(each);
      }
      wholes.add(whole);
      first ??= ended;
      before = ended;
      return { isRepeated, isFirst, isInFirst, isOverlap };
    },
    repeats: () => repeats,
  };
}

function isWithin(page: Sketch, other: Sketch): boolean {
  const distinct = page.ids.size >= page.records * DISTINCT_SHARE;
  return (
    [...page.contents].every((one) => other.contents.has(one)) ||
    (distinct && [...page.ids].every((one) => other.ids.has(one)))
  );
}

function emptySketch(): Sketch {
  return { ids: new Set(), contents: new Set(), identified: new Set(), records: 0 };
}

/** True if two pages have the same records. They are compared by ids if possible, for other values change between calls. */
function areAlike(page: Sketch, earlier: Sketch): boolean {
  const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
    [...a].filter((one) => b.has(one)).length;
  const distinct = page.ids.size >= page.records * DISTINCT_SHARE;
  const most = Math.max(
    shared(page.contents, earlier.contents),
    distinct ? shared(page.ids, earlier.ids) : 0,
  );
  return most >= page.records * REPEATED_SHARE;
}

function idOf(record: unknown, rankOf: ReturnType<typeof fieldRank>): string | null {
  if (typeof record !== 'object' || record === null) return null;
  let best = Number.POSITIVE_INFINITY;
  let id: string | null = null;
  for (const [name, value] of Object.entries(record)) {
    const rank = rankOf(name);
    if (rank === undefined || rank >= best) continue;
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    best = rank;
    id = String(value);
  }
  return id;
}

function digestOf(value: unknown): string {
  return hash('sha1', textOf(value), 'base64url');
}

/** The record as text; its keys alone if it is nested too deeply for JSON.stringify. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return Object.keys(Object(value)).join();
  }
}
