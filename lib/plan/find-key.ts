import { failListings, type ListingsOfSource } from '../run/outcomes/set-aside.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Path } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import { countOf } from '../schema/columns/value-classes.ts';
import { leafColumn, leavesSql, recordTextsSql } from '../schema/leaves.ts';
import {
  type Candidate,
  candidateCountsSql,
  constantKey,
  distinctRecordsSql,
  idTextSql,
  keyCandidates,
  keyPaths,
  keyTextSql,
  likelyCountsSql,
  NO_ID,
  type RecordKey,
  uniqueField,
} from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';
import type { Observed, ObserveOptions } from './observe.ts';

interface FindKeyOptions extends Pick<ObserveOptions, 'db' | 'slices' | 'records'> {
  readonly resource: Resource;
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

/**
 * The key that identifies a source's records: the config's `id`, otherwise the kept one. Otherwise the first candidate that
 * every record has and that is unique below each parent. Otherwise the record's hash, as with "none". Undefined without
 * records.
 */
export async function findKey(options: FindKeyOptions): Promise<RecordKey | undefined> {
  const { db, slices, resource, records, setting, locked } = options;
  if (setting === NO_ID) return { kind: 'hash' };
  if (setting !== undefined) return { kind: 'field', field: setting };
  if (locked !== undefined) return locked;
  if (options.isOneRecord) return constantKey(resource);
  if (records === 0) return undefined;
  const fields = keyCandidates({ resource, fields: options.fields });
  const [best] = fields;
  const [present, distinct] = options.counts;
  // Counting takes long, and the best candidate is nearly always the key. The others are counted only if it is not.
  if (best !== undefined && present === records && distinct === records)
    return { kind: 'field', field: best };
  const candidates = await countCandidates(options, fields);
  const distinctRecords = async () => {
    const distinct = distinctRecordsSql({ parent: parentOf(resource), record: 'record' });
    const [row] = await db.rows(`select ${distinct} as records from (${recordTextsSql(slices)})`);
    return Number(row?.records ?? 0);
  };
  // Different records are counted last: counting takes long, and copies are rare.
  const field =
    uniqueField(candidates, { records, distinct: records }) ??
    uniqueField(candidates, { records, distinct: await distinctRecords() });
  return field === undefined ? { kind: 'hash' } : { kind: 'field', field };
}

const parentOf = ({ parent }: Resource) => (parent === null ? null : 'parent_id');

/** SQL that counts the values of the most likely key with the observation of the records, for `findKey`. */
export function likelyKey(resource: Resource): NonNullable<ObserveOptions['countAlso']> {
  return (fields, leafOf) => {
    const [best] = keyCandidates({ resource, fields });
    if (best === undefined) return [];
    return likelyCountsSql({ parent: parentOf(resource), id: idTextSql(leafOf(best)) });
  };
}

async function countCandidates(
  { db, slices, resource }: FindKeyOptions,
  fields: readonly string[],
): Promise<readonly Candidate[]> {
  if (fields.length === 0) return [];
  const parent = parentOf(resource);
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

/** The most keys that a message shows. */
const SHOWN = 12;

/** The key field of a source's records in earlier runs, if no record has it any more. Otherwise undefined. */
export function lostKey(locked: RecordKey | undefined, { profiles }: Observed): string | undefined {
  if (locked?.kind !== 'field') return undefined;
  const hasIt = profiles.some(({ path, profile }) => {
    const name = path.join('.');
    // The field may be inside an object that stays text in its column.
    return (name === locked.field || locked.field.startsWith(`${name}.`)) && countOf(profile) > 0;
  });
  return hasIt ? undefined : locked.field;
}

/** Fails the listing, so that its rows stay. Without the key, every record counts as removed and added. */
export async function failForLostKey(
  db: DuckDb,
  listing: ListingsOfSource,
  { field, observed }: { readonly field: string; readonly observed: Observed },
): Promise<void> {
  const keys = [...new Set(observed.profiles.map(({ path: [first = ''] }) => first))].slice(0, SHOWN);
  const says = `The records have no ${JSON.stringify(field)} any more, by which they were told apart (seen: ${keys.join(', ')})`;
  await failListings(db, listing, { error_code: 'SHAPE_CHANGED', says });
}

/**
 * The paths that only repeat the player's or storage's id. Such a path has the name of the id's column. In
 * every record it has the same text or nothing. So a player's `PlayerId` gets no column of its own.
 */
export async function repeatedIds(
  options: Pick<FindKeyOptions, 'db' | 'slices' | 'resource'> & {
    readonly key: RecordKey | undefined;
    /** The paths at which the records have values. */
    readonly paths: readonly Path[];
  },
): Promise<readonly Path[]> {
  const { db, slices, resource, key, paths } = options;
  const named = paths.filter((path) => columnName(path) === resource.parentColumn);
  if (named.length === 0 || (resource.parent === null && key?.kind !== 'field')) return [];
  const own = resource.parent === null && key?.kind === 'field' ? keyPaths(key.field) : [];
  const columns = own.map((_, index) => leafColumn(named.length + index));
  const id = key?.kind === 'field' && own.length > 0 ? keyTextSql(columns, key.field) : 'parent_id';
  const counts = named.map((_, index) => {
    const leaf = leafColumn(index);
    // Compares what the API said: a value that a cell cannot hold is a different one.
    return `count(*) filter (${leaf} is not null and reject_text(${leaf}) is distinct from ${id}) as n${index}`;
  });
  const [row] = await db.rows(`select ${counts.join(', ')} from (${leavesSql(slices, [...named, ...own])})`);
  return named.filter((_, index) => Number(row?.[`n${index}`] ?? 1) === 0);
}
