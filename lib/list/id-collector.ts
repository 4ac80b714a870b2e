import { fieldRank, memberReader } from '../fields.ts';
import { escapedUnfit, MAP_KEY } from '../lake/raw/marks.ts';
import type { IdDoubt } from '../run/dialects.ts';
import { candidateNames } from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';
import { type Fitting, idLeaves } from './id-leaves.ts';

/** A listing that changes during its reading may repeat a record. A field with more repeats is not an id. */
const REPEATS_ALLOWED = 0.01;
/** A field may still be the id if this share of the records, or one record, lacks or repeats it. */
const NEARLY = 0.1;
/** A field may first appear up to this record. */
const FIRST_RECORDS = 100;

/**
 * Collects the ids of a listing's records as they come. The id is the first candidate field that every record
 * has and no two records share; copies of a record do not count. The operator chooses where a better
 * candidate nearly fits, or where only Type or Name fits. The field that the config names is always the id.
 * Ids are strings or integers.
 */
export function idCollector(resource: Resource, setting: string | undefined) {
  const rankOf = fieldRank(candidateNames(resource));
  const fieldsOf = setting === undefined ? candidatesOf(rankOf) : memberReader(setting);
  const valuesOf = new Map<string, string[]>();
  /** A hash of each record. It takes four bytes, so a million records fit into memory. */
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
      const lacking = records - (values?.length ?? 0);
      // A field that hardly any record has is not an id, so it gets no list.
      const mayBeId = setting !== undefined || records < FIRST_RECORDS || isFew(lacking, records);
      if (values === undefined && mayBeId) valuesOf.set(field, [id]);
      else if (mayBeId) values?.push(id);
    }
    contents.push(hashOf(contentOf(record)));
  };

  /** The number of records that equal the first record with the same id. */
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

  const otherLeaves = () => leaves.fields().filter(({ field }) => !valuesOf.has(field));

  /** The key of a map may be a place in it, next to an id of another form: then the children decide. */
  const fittingNextTo = (field: string, ids: readonly string[]): readonly Fitting[] => {
    const others = field === MAP_KEY ? otherLeaves() : [];
    return others.length === 0 ? [] : [{ field, ids }, ...others];
  };

  /**
   * The field that is the id; undefined where none fits, or where the operator has to choose among the doubts, the
   * likeliest first. `order` is a hash of the ids as they came; `lacking` counts the records without one, `repeats` those
   * with that of another. `fitting` has the fields that tell the records apart.
   */
  const decide = () => {
    const records = contents.length;
    const doubts: IdDoubt[] = [];
    const byRank = [...valuesOf].sort(([a], [b]) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
    for (const [field, values] of byRank) {
      const { ids, order } = idsOf(values);
      const lacking = records - values.length;
      const repeats = values.length - ids.size;
      if (setting !== undefined) return { field, ids, order, lacking, repeats, doubts: [], fitting: [] };
      const fits = lacking === 0 && (repeats <= records * REPEATS_ALLOWED || repeats === copiesAmong(values));
      if (fits && isAskedBy(field) && doubts.length === 0)
        return { field, ids, order, lacking, repeats, doubts: [], fitting: fittingNextTo(field, values) };
      if (fits || (isFew(lacking, records) && isFew(repeats, records)))
        doubts.push({ field, lacking, repeats: fits ? 0 : repeats });
    }
    const others = otherLeaves();
    const more = others.map(({ field }) => ({ field, lacking: 0, repeats: 0 }));
    // A few records may lack the id: then they alone have no children.
    const unlike = doubts.filter(({ repeats }) => repeats === 0);
    const fitting = [...unlike.map(({ field }) => ({ field, ids: valuesOf.get(field) ?? [] })), ...others];
    const none = { field: undefined, ids: new Set<string>(), order: 0, lacking: 0, repeats: 0 };
    return { ...none, doubts: [...doubts, ...more], fitting };
  };

  return { add: (more: readonly unknown[]) => more.forEach(take), decide };
}

/** Reads the fields of a record that may be its id. */
function candidatesOf(rankOf: (field: string) => number | undefined) {
  return function* (record: object): Iterable<readonly [string, unknown]> {
    for (const field in record) if (rankOf(field) !== undefined) yield [field, Reflect.get(record, field)];
  };
}

/** False for a type or a name: neither proves by itself that it is the id in a child's path. */
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

/** JSON.stringify cannot write a record that is nested too deeply; then its keys represent it. */
function contentOf(record: object): string {
  try {
    return JSON.stringify(record);
  } catch {
    return Object.keys(record).join();
  }
}

/** FNV-1a with 32 bits. `before` is the hash of the text in front of this one. */
function hashOf(text: string, before = 0): number {
  let hash = 0x811c9dc5 ^ before;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
