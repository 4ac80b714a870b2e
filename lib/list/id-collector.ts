import { fieldRank } from '../field-rank.ts';
import { MAP_KEY } from '../lake/raw/marks.ts';
import { candidateNames } from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';
import { createPackedTexts, type PackedTexts } from './packed-texts.ts';

export interface IdCollector {
  add(records: readonly unknown[]): void;
  /** The field by which children are asked, its values, and a hash of them as they came; nothing where no field will do. */
  decide(): {
    readonly field: string | undefined;
    readonly ids: ReadonlySet<string>;
    readonly order: number;
  };
}

/** A listing read while it changes may give a record twice; more repeats than that, and the field is no id. */
const REPEATS_ALLOWED = 0.01;

/**
 * Collects the ids of a listing's records as they come: of the candidate fields (or the one that the config names)
 * the first that every record has and that tells them apart, copies of a record aside. Ids are strings or integers; everything else is none.
 */
export function idCollector(options: {
  readonly resource: Resource;
  readonly setting: string | undefined;
}): IdCollector {
  const { resource, setting } = options;
  const rankOf =
    setting === undefined
      ? fieldRank([MAP_KEY, ...candidateNames(resource)])
      : fieldRank([setting], (name) => name.toLowerCase());
  const valuesOf = new Map<string, PackedTexts>();
  /** What each record says, hashed: four bytes of a million records bear to be kept. */
  const contents: number[] = [];
  let records = 0;

  const take = (record: unknown): void => {
    if (typeof record !== 'object' || record === null) return;
    for (const field in record) {
      if (rankOf(field) === undefined) continue;
      const id = idText(Reflect.get(record, field));
      if (id === undefined) continue;
      const values = valuesOf.get(field);
      // A field that an earlier record lacked is no id: it gets no list of its own.
      if (values !== undefined && values.length() === records) values.push(id);
      else if (records === 0) valuesOf.set(field, createPackedTexts(id));
    }
    contents.push(fnv1a(contentOf(record)));
    records++;
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

  return {
    add: (more) => more.forEach(take),
    decide: () => {
      const byRank = [...valuesOf].sort(([a], [b]) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
      for (const [field, values] of byRank) {
        if (values.length() < records) continue;
        const ids = new Set<string>();
        let order = 0;
        for (const id of values) {
          ids.add(id);
          order = fnv1a(id, order);
        }
        const repeats = records - ids.size;
        if (repeats <= records * REPEATS_ALLOWED || repeats === copiesAmong(values))
          return { field, ids, order };
      }
      return { field: undefined, ids: new Set(), order: 0 };
    },
  };
}

function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value.toWellFormed();
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
function fnv1a(text: string, before = 0): number {
  let hash = 0x811c9dc5 ^ before;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
