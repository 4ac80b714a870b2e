import { nameOf, type Said } from '../beside/beside.ts';
import { flagOf } from '../beside/flag-of.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import { kindOfValue, switchOf } from '../beside/said-value.ts';
import { countsRecords } from '../beside/word-of.ts';
import { wordsOf } from '../beside/words.ts';
import { createErrorEntries, type ErrorEntries } from '../records/error-entries.ts';

/** What the pages of a listing tell beside their records. */
export interface ToldOnPages {
  /** Notes the names of the records' fields, and the errors among them. */
  readonly look: (records: readonly unknown[]) => void;
  /** Notes what a page tells that has so many records. */
  readonly note: (facts: PageFacts, count: number) => void;
  readonly soFar: () => ToldSoFar;
}

export interface ToldSoFar {
  /** Records on all pages. */
  readonly items: number;
  /** What may tell that records are missing, however the end of the pages is proven. */
  readonly told: readonly Said[];
  /** Flags and words that are the same on all pages, so that they speak of none of them. */
  readonly constant: readonly Said[];
  /** What the flags say that are the same on all pages, and those that the config ignores on any. */
  readonly flags: readonly string[];
  /** The words that are the same on all pages, as `wordOf` has them. */
  readonly words: readonly string[];
  /** Entries that tell an error in place of a record. */
  readonly errors: ErrorEntries | null;
}

/** Collects over all pages what may tell that records are missing. A flag that only some pages have speaks of pages. */
export function createToldOnPages(ignore: readonly string[]): ToldOnPages {
  const entries = createErrorEntries(ignore);
  const told = new Map<string, Said>();
  let constant: ReadonlyMap<string, Said> | null = null;
  let fields: ReadonlySet<string> = new Set();
  const ignored = new Set<string>();
  let flags: readonly string[] | null = null;
  let words: readonly string[] | null = null;
  let items = 0;
  return {
    look: (records) => {
      const [first] = records;
      entries.look(records);
      if (fields.size === 0 && typeof first === 'object' && first !== null)
        fields = new Set(Object.keys(first));
    },
    note: ({ told: said, ranges, unexplained, flags: answered, words: spoken }, count) => {
      items += count;
      words = words === null ? spoken : words.filter((word) => spoken.includes(word));
      for (const flag of answered) ignored.add(flag);
      const here = unexplained.flatMap(flagOf);
      flags = flags === null ? here : flags.filter((flag) => here.includes(flag));
      for (const each of said)
        if (!told.has(nameOf(each)) && !areFields(each, fields)) told.set(nameOf(each), each);
      for (const range of ranges)
        if (count > 0 && range.count !== count && !told.has(range.name)) told.set(range.name, range.said);
      const open = unexplained.filter((each) => isOpen(each.value) && !saysIfEmpty(each, count));
      const before = constant;
      constant = new Map(
        open.flatMap((each) => {
          const name = nameOf(each);
          const isSame = before === null || before.get(name)?.value === each.value;
          return isSame ? [[name, each] as const] : [];
        }),
      );
    },
    soFar: () => ({
      items,
      told: [...told.values()],
      constant: [...(constant ?? new Map<string, Said>()).values()],
      flags: [...ignored, ...(flags ?? [])],
      words: (words ?? []).filter((word) => !countsRecords(word, items)),
      errors: entries.found(),
    }),
  };
}

/** True for a list that names fields of the records, and no record: `primary_keys: ["id"]`. */
function areFields({ value }: Said, fields: ReadonlySet<string>): boolean {
  return Array.isArray(value) && value.every((each) => fields.has(each));
}

/** A flag that is true, or a word; figures alone, such as `1/40`, tell no failure. */
function isOpen(value: unknown): boolean {
  const kind = kindOfValue(value);
  const isWord = kind === 'token' && /\p{L}/u.test(String(value));
  return value === true || (kind === 'flag' && /^y/i.test(String(value))) || isWord;
}

/** True for a flag that says, as the records do, whether there are any: `empty: true` beside none. */
export function saysIfEmpty({ path, value }: Said, items: number): boolean {
  const words = wordsOf(path.at(-1) ?? '').filter((word) => word !== 'is');
  return words.join() === 'empty' && kindOfValue(value) === 'flag' && switchOf(value) === (items === 0);
}
