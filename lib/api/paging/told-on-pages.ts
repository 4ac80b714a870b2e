import { nameOf, type Said } from '../beside/beside.ts';
import { isHealthy } from '../beside/healthy.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import type { Fact } from '../beside/page-roles.ts';
import { kindOfValue, switchOf, wholeNumberOf } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';
import { flagOf } from '../compared/flag-of.ts';
import { createOnAllPages } from '../compared/on-all-pages.ts';
import type { Times } from '../compared/times.ts';
import { withoutCount } from '../compared/word-of.ts';
import { createErrorEntries, type ErrorEntries } from '../records/error-entries.ts';

/** The place of a page's records. */
export interface OpenedRecords {
  /** As the setting `items` says it; null where it has no place for any. */
  readonly envelope: string | null;
  /** Entries of the list that are null in place of a record. */
  readonly nulls: number;
}

/** What the pages of a listing tell beside their records. */
export interface ToldOnPages {
  /** Notes the names of the records' fields, and the errors among them. */
  readonly look: (records: readonly unknown[]) => void;
  /** Notes where a page, from 0, has its records, and how many entries are null there. */
  readonly open: (page: number, opened: OpenedRecords) => void;
  /** Notes what a page tells that has so many records. */
  readonly note: (facts: PageFacts, count: number) => void;
  readonly soFar: () => ToldSoFar;
}

export interface ToldSoFar {
  /** Records on all pages, and entries that are null in place of one. */
  readonly items: number;
  readonly nulls: number;
  /** What may tell that records are missing, however the end of the pages is proven. */
  readonly told: readonly Said[];
  /** Flags and words that are the same on all pages, so that they speak of none of them. */
  readonly constant: readonly Said[];
  /** What the flags say that are the same on all pages, and those that the config ignores on any. */
  readonly flags: readonly string[];
  /** The words that are the same on all pages, as `wordOf` has them. */
  readonly words: readonly string[];
  /** The times beside the records of the first page. */
  readonly times: Times;
  /** What the last page with records says of one behind it, to which nothing leads. */
  readonly beyond: readonly Said[];
  /** Where the records of the first page are that has a place for some, as the setting `items` says it. */
  readonly place: string | null;
  /** The latest page that has its records elsewhere than the first one, from 0. */
  readonly moved: MovedRecords | null;
  /** Whether a later page declares fewer pages than an earlier one. */
  readonly isShrunk: boolean;
  /** A later page that says a greater number of itself than the pages before lead to. */
  readonly skipped: SkippedPages | null;
  /** Entries that tell an error in place of a record. */
  readonly errors: ErrorEntries | null;
}

/** What stands beside the records of the first page. */
interface FirstPage {
  readonly names: ReadonlySet<string>;
  /** The names of numbers, and of words that say that nothing is wrong: `code: 0`, `code: "OK"`. */
  readonly quiet: ReadonlySet<string>;
}

function isQuiet({ value }: Said): boolean {
  return typeof value === 'number' || (typeof value === 'string' && isHealthy(value));
}

/** True for what the first page does not have, and for a word where it has a number or a word of success. */
function isNews(said: Said, { names, quiet }: FirstPage): boolean {
  const name = nameOf(said);
  return !names.has(name) || (quiet.has(name) && !isQuiet(said) && /\p{L}/u.test(String(said.value)));
}

/** What a page says of itself, and what it would say if it came next. */
export interface SkippedPages {
  /** From 0. */
  readonly page: number;
  readonly said: Fact<number>;
  readonly due: number;
}

/** Two places, as the setting `items` says them. */
export interface MovedRecords {
  readonly page: number;
  readonly was: string;
  readonly is: string;
}

/**
 * Collects over all pages what may tell that records are missing. A flag that changes from page to page speaks of pages; what the
 * first page does not have and a later one has, such as `code: "E_WINDOW"` beside no record, may say why there are no more.
 */
export function createToldOnPages(ignore: readonly string[]): ToldOnPages {
  const entries = createErrorEntries(ignore);
  const told = new Map<string, Said>();
  const constant = createOnAllPages(keyOf);
  const bounds = createOnAllPages(keyOf);
  const flags = createOnAllPages(String);
  const words = createOnAllPages(String);
  let fields: ReadonlySet<string> = new Set();
  const ignored = new Set<string>();
  let first: FirstPage | null = null;
  let times: Times | null = null;
  let place: string | null = null;
  let opened: MovedRecords | null = null;
  let moved: MovedRecords | null = null;
  let beyond: readonly Said[] = [];
  /** All pages, and those with records. */
  let read = 0;
  let pages = 0;
  let declaredPages = 0;
  let isShrunk = false;
  let numbers: PageFacts['numbers'] = {};
  let skipped: SkippedPages | null = null;
  let items = 0;
  let nulls = 0;
  let nullsOfPage = 0;
  return {
    open: (page, { envelope, nulls: ofPage }) => {
      nullsOfPage = ofPage;
      place ??= envelope;
      opened =
        envelope === null || place === null || envelope === place ? null : { page, was: place, is: envelope };
    },
    look: (page) => {
      const [first] = page;
      entries.look(page);
      if (fields.size === 0 && typeof first === 'object' && first !== null)
        fields = new Set(Object.keys(first));
    },
    note: (facts, count) => {
      const { told: said, ranges, unexplained, flags: answered, others, names } = facts;
      if (count > 0 && read > 0) skipped ??= skippedIn(facts, { first: numbers, read, items, pages });
      if (read === 0) numbers = facts.numbers;
      read += 1;
      items += count;
      nulls += nullsOfPage;
      times ??= facts.times;
      if (count > 0) {
        const declared = facts.numbers.pages?.value ?? declaredPages;
        isShrunk ||= declared < declaredPages;
        declaredPages = Math.max(declared, declaredPages);
        pages += 1;
        beyond = facts.beyond;
        bounds.note(facts.bounds);
      }
      moved = opened ?? moved;
      for (const each of others)
        if (first !== null && isNews(each, first) && !saysIfEmpty(each, count)) told.set(nameOf(each), each);
      first ??= { names: new Set(names), quiet: new Set(others.filter(isQuiet).map(nameOf)) };
      for (const flag of answered) ignored.add(flag);
      words.note(facts.words);
      flags.note(unexplained.flatMap(flagOf));
      constant.note(unexplained.filter((each) => isOpen(each.value) && !saysIfEmpty(each, count)));
      for (const each of said)
        if (!told.has(nameOf(each)) && !areFields(each, fields)) told.set(nameOf(each), each);
      for (const range of ranges)
        if (count > 0 && range.count !== count && !told.has(range.name)) told.set(range.name, range.said);
    },
    soFar: () => ({
      items,
      nulls,
      told: [
        ...told.values(),
        ...bounds.all().filter(({ value }) => pages > 1 && wholeNumberOf(value) === items),
      ],
      constant: constant.all(),
      flags: [...ignored, ...flags.all()],
      words: words.all().flatMap((word) => withoutCount(word, { items, pages })),
      times: times ?? {},
      beyond,
      place,
      moved,
      isShrunk,
      skipped,
      errors: entries.found(),
    }),
  };
}

/** The number by which a page says that others are between it and the one before; null where it says none. */
function skippedIn(
  { numbers: { page, offset } }: PageFacts,
  before: {
    readonly first: PageFacts['numbers'];
    readonly read: number;
    readonly pages: number;
    readonly items: number;
  },
): SkippedPages | null {
  const { first, read, pages, items } = before;
  const number = page && first.page && { said: page, due: first.page.value + read };
  // Behind an empty page nobody knows how many records it could have had.
  const isGapless = read === pages;
  const place = offset && first.offset && isGapless && { said: offset, due: first.offset.value + items };
  const ahead = [number, place].find((each) => each && each.said.value > each.due);
  return ahead ? { page: read, ...ahead } : null;
}

function keyOf(said: Said): string {
  return `${nameOf(said)}=${String(said.value)}`;
}

/** True for a list that names fields of the records, and no record: `primary_keys: ["id"]`. */
function areFields({ value }: Said, fields: ReadonlySet<string>): boolean {
  return Array.isArray(value) && value.every((each) => fields.has(each));
}

/** A flag, or a word; figures alone, such as `1/40`, tell no failure. */
function isOpen(value: unknown): boolean {
  const kind = kindOfValue(value);
  return kind === 'flag' || (kind === 'token' && /\p{L}/u.test(String(value)));
}

/** True for a flag that says, as the records do, whether there are any: `empty: true` beside none. */
export function saysIfEmpty({ path, value }: Said, items: number): boolean {
  const words = wordsOf(path.at(-1) ?? '').filter((word) => word !== 'is');
  return words.join() === 'empty' && kindOfValue(value) === 'flag' && switchOf(value) === (items === 0);
}
