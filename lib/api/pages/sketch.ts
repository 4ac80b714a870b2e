import { hash } from 'node:crypto';
import { fieldRank } from '../../fields.ts';
import { candidateNames } from '../../schema/record-key.ts';
import type { Resource } from '../../sources/resources.ts';

/** The records of one page, by their ids, or by a hash if they have none. */
export interface Sketch {
  readonly keys: ReadonlySet<string>;
  readonly records: number;
  /** Hashes of the records of a parent. Two of them may share an id, such as two transfers of one file. */
  readonly contents: readonly string[];
}

export type SeenPages = ReturnType<typeof createSeenPages>;

/** A page of the first's length repeats one if they share this part: single records may have moved. */
const REPEATED_SHARE = 0.5;
/** A field identifies the records of a page if it differs in this share of them. */
const DISTINCT_SHARE = 0.9;
/** These names do not surely identify a record. */
const NO_IDS = new Set(['Code', 'Number', 'Type', 'Name']);

/** Compares a later page with the first. `part`: some of the first one's records, as a filter leaves them. */
export function behindFirst(page: Sketch, first: Sketch): 'other' | 'same' | 'part' | 'none' {
  if (page.records === 0) return 'none';
  if (shared(page, first.keys) === page.keys.size) return page.records >= first.records ? 'same' : 'part';
  return isDistinct(page) && isLike(page, first) ? 'same' : 'other';
}

/** Compares the pages of one listing as they come. `hasIds` is false where the config says that no field is an id. */
export function createSeenPages(resource: Resource, hasIds: boolean) {
  let ranks: ReturnType<typeof fieldRank> | undefined;
  /** Lazy: most listings never compare two pages. */
  const rankOf = (field: string): number | undefined => {
    ranks ??= fieldRank(candidateNames(resource).filter((name) => hasIds && !NO_IDS.has(name)));
    return ranks(field);
  };
  const isChild = resource.parent !== null;
  const all = new Set<string>();
  const moved = new Set<string>();
  const wholes = new Set<string>();
  let first: Sketch | null = null;
  let before: Sketch | null = null;
  let repeats = 0;

  /** A sketch that grows with the records of a page. */
  const draft = () => {
    const keys = new Set<string>();
    const contents: string[] = [];
    let records = 0;
    return {
      keys,
      contents,
      get records() {
        return records;
      },
      add: (slice: readonly unknown[]): void => {
        records += slice.length;
        for (const record of slice) {
          keys.add(keyOf(record, rankOf));
          if (isChild) contents.push(digestOf(record));
        }
      },
    };
  };
  return {
    draft,
    sketch: (slices: Iterable<readonly unknown[]>): Sketch => {
      const page = draft();
      for (const slice of slices) page.add(slice);
      return page;
    },
    /** True where it repeats an earlier page. */
    isRepeat: (page: Sketch): boolean => {
      if (page.records === 0 || first === null) return false;
      const isKnown = page.records >= first.records && shared(page, all) === page.keys.size;
      const isNear = isLike(page, first) || (before !== null && isLike(page, before));
      return (isDistinct(page) && (isKnown || isNear)) || wholes.has(textOf(page));
    },
    /** Keeps a page with records that count. */
    keep: (page: Sketch): void => {
      // The last record of the page before may begin this one, because it names its next page.
      const [begin] = page.contents;
      const isOverlap = begin !== undefined && begin === before?.contents.at(-1);
      const others = new Set(page.contents.slice(isOverlap ? 1 : 0));
      repeats += [...others].filter((content) => moved.has(content)).length;
      for (const content of page.contents) moved.add(content);
      for (const key of page.keys) all.add(key);
      wholes.add(textOf(page));
      first ??= page;
      before = page;
    },
    /** Records of a parent that came unchanged on two pages. One that ends a page and begins the next does not count. */
    repeats: (): number => repeats,
  };
}

function textOf({ keys, contents }: Sketch): string {
  return (contents.length > 0 ? contents : [...keys]).join();
}

function digestOf(record: unknown): string {
  return hash('sha1', JSON.stringify(record) ?? '', 'base64url');
}

/** True if nearly all records have different ids. Records with one id cannot be told apart. */
function isDistinct({ keys, records }: Sketch): boolean {
  return keys.size >= records * DISTINCT_SHARE;
}

function isLike(page: Sketch, earlier: Sketch): boolean {
  return page.records >= earlier.records && shared(page, earlier.keys) > page.keys.size * REPEATED_SHARE;
}

function shared({ keys }: Sketch, other: ReadonlySet<string>): number {
  let count = 0;
  for (const key of keys) if (other.has(key)) count += 1;
  return count;
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
