import type { DuckDb } from '../runtime/duckdb.ts';
import { leafColumn, leavesSql, recordTextsSql, type Slices } from '../schema/leaves.ts';
import {
  candidateCountsSql,
  constantKey,
  decideRecordKey,
  idTextSql,
  type KeyCounts,
  keyCandidates,
  likelyCountsSql,
  type RecordKey,
  recordCountsSql,
} from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';
import type { ObserveOptions } from './observe.ts';

export interface FindKeyOptions {
  readonly db: DuckDb;
  readonly slices: Slices;
  readonly resource: Resource;
  readonly records: number;
  /** Top-level keys of the records. */
  readonly fields: readonly string[];
  /** The counts of `likelyKey`. */
  readonly counts: readonly number[];
  /** The config's `id`, or the field that list used to request the children. */
  readonly setting: string | undefined;
  readonly locked: RecordKey | undefined;
  /** True if the whole answer is one record. */
  readonly isOneRecord: boolean;
}

/** The key that identifies a source's records; undefined without records. */
export async function findKey(options: FindKeyOptions): Promise<RecordKey | undefined> {
  const { db, slices, resource, records, setting, locked } = options;
  if (options.isOneRecord && setting === undefined) return locked ?? constantKey(resource);
  if (setting !== undefined || locked !== undefined || records === 0) {
    return decideRecordKey({ records, distinctRecords: records, candidates: [], setting, locked });
  }
  const fields = keyCandidates({ resource, fields: options.fields });
  const [best] = fields;
  const [present, distinct] = options.counts;
  // Counting takes long, and the best candidate is nearly always the key. The others are counted only if it is not.
  if (best !== undefined && present === records && distinct === records)
    return { kind: 'field', field: best };
  const parent = resource.parent === null ? null : 'parent_id';
  const candidates = await countCandidates(options, fields);
  const found = decideRecordKey({ records, distinctRecords: records, candidates });
  if (found?.kind !== 'hash') return found;
  // Different records are counted last: counting takes long, and copies are rare.
  return decideRecordKey({ records, distinctRecords: await distinctRecords(db, slices, parent), candidates });
}

/** SQL that counts the values of the most likely key with the observation of the records, for `findKey`. */
export function likelyKey(resource: Resource): NonNullable<ObserveOptions['countAlso']> {
  return (fields, leafOf) => {
    const [best] = keyCandidates({ resource, fields });
    const parent = resource.parent === null ? null : 'parent_id';
    return best === undefined ? [] : likelyCountsSql({ parent, id: idTextSql(leafOf(best)) });
  };
}

type Candidate = KeyCounts['candidates'][number];

async function countCandidates(
  { db, slices, resource }: FindKeyOptions,
  fields: readonly string[],
): Promise<readonly Candidate[]> {
  if (fields.length === 0) return [];
  const parent = resource.parent === null ? null : 'parent_id';
  const counts = fields.flatMap((_, index) => {
    const [present, distinct] = candidateCountsSql({ parent, id: idTextSql(leafColumn(index)) });
    return [`${present} as present${index}`, `${distinct} as distinct${index}`];
  });
  const leaves = leavesSql(
    slices,
    fields.map((field) => [field]),
  );
  const [row] = await db.rows(`select ${counts.join(', ')} from (${leaves})`);
  return fields.map((field, index) => ({
    field,
    present: Number(row?.[`present${index}`] ?? 0),
    distinct: Number(row?.[`distinct${index}`] ?? 0),
  }));
}

async function distinctRecords(db: DuckDb, slices: Slices, parent: string | null): Promise<number> {
  const [, distinct] = recordCountsSql({ parent, record: 'record' });
  const [row] = await db.rows(`select ${distinct} as records from (${recordTextsSql(slices)})`);
  return Number(row?.records ?? 0);
}
