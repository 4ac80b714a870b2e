import { hash } from 'node:crypto';
import { fieldRank } from '../../fields.ts';
import { candidateNames } from '../../schema/record-key.ts';
import type { Resource } from '../../sources/resources.ts';

/** The records of one page, by their ids, or by a hash of those that have none. */
export interface Sketch {
  readonly keys: ReadonlySet<string>;
  readonly records: number;
  /** Hashes of the records of a parent: one that came twice as it was has moved between pages. */
  readonly contents: readonly string[];
}

/** A page that was read, compared with those before it. */
export interface Compared {
  /** It repeats an earlier page. */
  readonly isRepeat: boolean;
  /** All its records are on earlier pages. */
  readonly isKnown: boolean;
}

/** Compares the pages of one listing as they come. */
export interface SeenPages {
  readonly sketch: (records: Iterable<readonly unknown[]>) => Sketch;
  /** A sketch in the making, of records that are passed on meanwhile. */
  readonly draft: () => { readonly add: (records: readonly unknown[]) => void; readonly end: () => Sketch };
  readonly compare: (page: Sketch) => Compared;
  /** Notes a page whose records count. */
  readonly keep: (page: Sketch) => void;
  /** How many records came on two pages, but for one that ends a page and begins the next. */
  readonly repeats: () => number;
  /** Records on the first page that was kept. */
  readonly firstRecords: () => number;
}

/** A page as long as the first repeats an earlier one if they share so many records: a record that moved is no repeat. */
const REPEATED_SHARE = 0.5;
/** A field tells the records of a page apart if it differs in so many of them. */
const DISTINCT_SHARE = 0.9;
/** Names that tell records apart for sure; `Type` or `Name` do not. */
const NO_IDS = new Set(['Code', 'Number', 'Type', 'Name']);

/** `hasIds` is false where the config says that no field is an id. */
export function createSeenPages(resource: Resource, hasIds: boolean): SeenPages {
  let ranks: ReturnType<typeof fieldRank> | undefined;
  /** Most listings have no two pages that are compared. */
  const rankOf = (field: string): number | undefined => {
    ranks ??= fieldRank(candidateNames(resource).filter((name) => hasIds && !NO_IDS.has(name)));
    return ranks(field);
  };
  const all = new Set<string>();
  const wholes = new Set<string>();
  const moved = new Set<string>();
  const isChild = resource.parent !== null;
  let first: Sketch | null = null;
  let before: Sketch | null = null;
  let repeats = 0;

  const shared = (page: Sketch, other: ReadonlySet<string>): number => {
    let count = 0;
    for (const key of page.keys) if (other.has(key)) count += 1;
    return count;
  };
  const isLike = (page: Sketch, earlier: Sketch | null): boolean =>
    earlier !== null &&
    page.records >= earlier.records &&
    shared(page, earlier.keys) > page.keys.size * REPEATED_SHARE;

  return {
    sketch: (slices) => {
      const draft = draftSketch(rankOf, isChild);
      for (const slice of slices) draft.add(slice);
      return draft.end();
    },
    draft: () => draftSketch(rankOf, isChild),
    compare: (page) => {
      if (page.records === 0) return { isRepeat: false, isKnown: false };
      const isKnown = shared(page, all) === page.keys.size;
      const isLong = first !== null && page.records >= first.records;
      // Records that share an id are told apart by nothing.
      const isDistinct = page.keys.size >= page.records * DISTINCT_SHARE;
      const isRepeat =
        (isDistinct && ((isKnown && isLong) || isLike(page, first) || isLike(page, before))) ||
        wholes.has(textOfPage(page));
      return { isRepeat, isKnown };
    },
    keep: (page) => {
      // What ends the page before may begin this one: its next page is named by its last record.
      const isOverlap = page.contents.length > 0 && page.contents[0] === before?.contents.at(-1);
      const again = new Set(page.contents.slice(isOverlap ? 1 : 0).filter((content) => moved.has(content)));
      repeats += again.size;
      for (const content of page.contents) moved.add(content);
      for (const key of page.keys) all.add(key);
      wholes.add(textOfPage(page));
      first ??= page;
      before = page;
    },
    repeats: () => repeats,
    firstRecords: () => first?.records ?? 0,
  };
}

function textOfPage({ keys, contents }: Sketch): string {
  return digestOf(contents.length > 0 ? contents : [...keys]);
}

function digestOf(value: unknown): string {
  return hash('sha1', textOf(value), 'base64url');
}

function draftSketch(rankOf: ReturnType<typeof fieldRank>, isChild: boolean) {
  const keys = new Set<string>();
  const contents: string[] = [];
  let records = 0;
  return {
    add: (slice: readonly unknown[]): void => {
      for (const record of slice) {
        keys.add(keyOf(record, rankOf));
        if (isChild) contents.push(digestOf(record));
      }
      records += slice.length;
    },
    end: (): Sketch => ({ keys, records, contents }),
  };
}

function keyOf(record: unknown, rankOf: ReturnType<typeof fieldRank>): string {
  let best = Number.POSITIVE_INFINITY;
  let id: string | null = null;
  for (const [name, value] of Object.entries(Object(record))) {
    const rank = rankOf(name);
    if (rank === undefined || rank >= best || (typeof value !== 'string' && typeof value !== 'number'))
      continue;
    best = rank;
    id = String(value);
  }
  return id === null ? digestOf(record) : `#${id}`;
}

/** The record as text; its keys alone if it is nested too deeply for JSON.stringify. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return Object.keys(Object(value)).join();
  }
}
