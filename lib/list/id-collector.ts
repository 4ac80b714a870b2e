import { fieldRank, memberReader } from '../fields.ts';
import { escapedUnfit } from '../lake/raw/marks.ts';
import { candidateNames } from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';
import { idLeaves } from './id-leaves.ts';
import { createPackedTexts, type PackedTexts } from './packed-texts.ts';

export interface IdCollector {
  add(records: readonly unknown[]): void;
  decide(): DecidedId;
}

/** By what children are asked for. */
interface DecidedId {
  /** Undefined where no field will do, or where the operator has to choose. */
  readonly field: string | undefined;
  readonly ids: ReadonlySet<string>;
  /** A hash of the ids as they came. */
  readonly order: number;
  /** Records that have no id; more than 0 only where the config names the field. */
  readonly lacking: number;
  /** The fields to choose from, the likeliest first, where there is none that is the id without doubt. */
  readonly doubts: readonly IdDoubt[];
}

/** A field that may be the id. */
interface IdDoubt {
  readonly field: string;
  /** Records without it. */
  readonly lacking: number;
  /** Records with a value that an earlier one has. */
  readonly repeats: number;
}

/** A listing read while it changes may give a record twice; more repeats than that, and the field is no id. */
const REPEATS_ALLOWED = 0.01;
/** A field that lacks or repeats in so few of the records, or in one, may be the id all the same. */
const NEARLY = 0.1;
/** Until then a field may begin to come. */
const FIRST_RECORDS = 100;

/**
 * Collects the ids of a listing's records as they come: of the candidate fields the first that every record has and
 * that tells them apart, copies of a record aside. Where a better one nearly does so, and where only Type or Name does,
 * the operator chooses. The field that the config names is the id in any case. Ids are strings or integers.
 */
export function idCollector(options: {
  readonly resource: Resource;
  readonly setting: string | undefined;
}): IdCollector {
  const { resource, setting } = options;
  const rankOf = fieldRank(candidateNames(resource));
  const fieldsOf = setting === undefined ? candidatesOf(rankOf) : memberReader(setting);
  const valuesOf = new Map<string, PackedTexts>();
  /** What each record says, hashed: four bytes of a million records bear to be kept. */
  const contents: number[] = [];

  const leaves = idLeaves();

  const take = (record: unknown): void => {
    if (typeof record !== 'object' || record === null) return;
    if (setting === undefined) leaves.add(record);
    const records = contents.length;
    for (const [field, value] of fieldsOf(record)) {
      const id = idText(value);
      if (id === undefined) continue;
      const values = valuesOf.get(field);
      const lacking = records - (values?.length() ?? 0);
      // A field that hardly any record has is no id: it gets no list of its own.
      const mayBeId = setting !== undefined || records < FIRST_RECORDS || isFew(lacking, records);
      if (values === undefined && mayBeId) valuesOf.set(field, createPackedTexts(id));
      else if (mayBeId) values?.push(id);
    }
    contents.push(hashOf(contentOf(record)));
  };

  /** How many records say all that the first of their id says. */
  const copiesAmong = (values: Iterable<string>): number => {
    const firsts = new Map<string, number>();
    let index = 0;
    let copies = 0;
    for (const id of values) {
      const content = contents[index++] ?? 0;
      const first = firsts.get(id);
      if (first === undefined) firsts.set(id, content);
      if (first === content) copies++;
    }
    return copies;
  };

  const decide = (): DecidedId => {
    const records = contents.length;
    const doubts: IdDoubt[] = [];
    const byRank = [...valuesOf].sort(([a], [b]) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
    for (const [field, values] of byRank) {
      const { ids, order } = idsOf(values);
      const lacking = records - values.length();
      const repeats = values.length() - ids.size;
      if (setting !== undefined) return { field, ids, order, lacking, doubts: [] };
      const fits = lacking === 0 && (repeats <= records * REPEATS_ALLOWED || repeats === copiesAmong(values));
      if (fits && isAskedBy(field) && doubts.length === 0) return { field, ids, order, lacking, doubts: [] };
      if (fits || (isFew(lacking, records) && isFew(repeats, records)))
        doubts.push({ field, lacking, repeats: fits ? 0 : repeats });
    }
    const others = leaves.fields().filter((field) => !valuesOf.has(field));
    const more = others.map((field) => ({ field, lacking: 0, repeats: 0 }));
    return { field: undefined, ids: new Set(), order: 0, lacking: 0, doubts: [...doubts, ...more] };
  };

  return { add: (more) => more.forEach(take), decide };
}

/** The members of a record that may be its id. */
function candidatesOf(rankOf: (field: string) => number | undefined) {
  return function* (record: object): Iterable<readonly [string, unknown]> {
    for (const field in record) if (rankOf(field) !== undefined) yield [field, Reflect.get(record, field)];
  };
}

/** Neither a type nor a name tells by itself that children may be asked for by it. */
function isAskedBy(field: string): boolean {
  return !/^(type|name)$/i.test(field);
}

function isFew(few: number, records: number): boolean {
  return few <= Math.max(1, records * NEARLY) && few * 4 <= records;
}

function idsOf(values: Iterable<string>): { readonly ids: ReadonlySet<string>; readonly order: number } {
  const ids = new Set<string>();
  let order = 0;
  for (const id of values) {
    ids.add(id);
    order = hashOf(id, order);
  }
  return { ids, order };
}

function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : escapedUnfit(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A record nested too deeply for JSON.stringify is known by its keys. */
function contentOf(record: object): string {
  try {
    return JSON.stringify(record);
  } catch {
    return Object.keys(record).join();
  }
}

/** FNV-1a, 32 bits; of several texts, where it goes on from the one before. */
function hashOf(text: string, before = 0): number {
  let hash = 0x811c9dc5 ^ before;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
