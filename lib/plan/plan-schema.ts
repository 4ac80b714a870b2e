import { DUPLICATE_MARK } from '../api/mend.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import type { Dialects } from '../list/dialects.ts';
import { RESOURCES, type Resource } from '../resources.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { RunRecord } from '../runtime/run-record.ts';
import { assignNames } from '../schema/assign-names.ts';
import type { RecordKey } from '../schema/record-key.ts';
import type { Schema, SchemaColumn, TableSchema } from '../schema/schema.ts';
import { PARTITION_COLUMN, tableForm } from '../schema/tables.ts';
import { notedKeys, slicesOf } from './answers.ts';
import { type Base, retainedKeys } from './base.ts';
import { chooseWidth } from './choose-width.ts';
import { findKey, likelyKey } from './find-key.ts';
import { failForLostKey, lostKey } from './lost-key.ts';
import { type Observed, observe } from './observe.ts';
import { planColumn } from './plan-column.ts';
import { isDropped, privacyQuestions } from './privacy.ts';
import type { RawOfResource } from './raw-of-run.ts';
import { repeatedIds } from './repeated-ids.ts';

export interface PlanSchemaOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly record: RunRecord;
  readonly base: Base;
  /** Types that the operator gave columns. */
  readonly types: Head['types'];
  readonly raw: readonly RawOfResource[];
  readonly dialects: ReadonlyMap<string, Dialects>;
}

/** What the records of one source showed. */
export interface SourceObserved extends Observed {
  readonly source: string;
  readonly key: RecordKey | undefined;
  readonly questions: readonly string[];
}

/** The schema after this run: what was known, and what its records show that is new. */
export async function planSchema(options: PlanSchemaOptions): Promise<Schema> {
  const tables: Record<string, TableSchema> = { ...options.base.schema.tables };
  const counts = await options.db.rows(RECORDS);
  for (const resource of RESOURCES) {
    const observed: SourceObserved[] = [];
    for (const raw of options.raw.filter((each) => each.resource === resource.name)) {
      const records = Number(
        counts.find((row) => row.source === raw.source && row.resource === raw.resource)?.records ?? 0,
      );
      const seen = records === 0 ? undefined : await observeSource(options, { resource, raw, records });
      if (seen !== undefined) observed.push(seen);
    }
    tables[resource.name] = await planTable(options, resource, observed);
  }
  return { version: 1, tables };
}

const RECORDS = `
  -- grain: source, resource
  select source, resource, sum(records)::double as records from outcomes where outcome = 'ok' group by all`;

/** Raw of 4 MiB is some 40 MiB of JSON, and twice that in DuckDB's memory. */
const FEW_BYTES = 4 * 1024 * 1024;

/** What a source's records show; undefined where they lack what told them apart: then they have failed. */
async function observeSource(
  { db, base, dialects, record }: PlanSchemaOptions,
  {
    resource,
    raw,
    records,
  }: { readonly resource: Resource; readonly raw: RawOfResource; readonly records: number },
): Promise<SourceObserved | undefined> {
  const { source } = raw;
  const before = base.schema.tables[resource.name];
  const found = dialects.get(source)?.resources[resource.name];
  const settings = record.config.sources.find(({ name }) => name === source)?.resources[resource.name];
  const slices = await slicesOf(db, raw);
  const setting = settings?.id ?? found?.idField;
  const locked = before?.keys[source];
  const observed = await observe({
    db,
    slices,
    records,
    keys: slices.counts === undefined ? await notedKeys(db, raw.paths) : undefined,
    areFew: raw.bytes <= FEW_BYTES,
    ...(setting === undefined && locked === undefined && { countAlso: likelyKey(resource) }),
    flattened: before?.flattened ?? [],
    unflattened: before?.unflattened ?? [],
  });
  const lost = setting === undefined ? lostKey(locked, observed) : undefined;
  if (lost !== undefined) {
    await failForLostKey(db, { source, resource: resource.name }, { field: lost, observed });
    return undefined;
  }
  const key = await findKey({
    db,
    slices,
    resource,
    records,
    fields: observed.profiles.flatMap(({ path: [first, ...deeper] }) =>
      first === undefined || deeper.length > 0 ? [] : [first],
    ),
    counts: observed.counts,
    setting,
    locked,
    isOneRecord: found?.dialect?.envelope.endsWith('{1}') === true,
  });
  const published = pathsIn(before, source);
  const unpublished = observed.profiles
    .map(({ path }) => path)
    .filter((path) => !published.has(nameOf(path)));
  const repeated = await repeatedIds({ db, slices, resource, key, paths: unpublished });
  const isRepeated = new Set(repeated.map(nameOf));
  const paths = [
    ...observed.profiles.map(({ path }) => path),
    ...observed.flattened,
    ...(before?.columns.flatMap((column) => column.paths.map(({ path }) => path)) ?? []),
  ];
  return {
    ...observed,
    profiles: observed.profiles.filter(
      ({ path }) => !isDropped(settings, path) && !isRepeated.has(nameOf(path)),
    ),
    source,
    key,
    questions: privacyQuestions({ table: resource.name, settings, paths, key }),
  };
}

async function planTable(
  { db, lake, record, base, types }: PlanSchemaOptions,
  resource: Resource,
  observed: readonly SourceObserved[],
): Promise<TableSchema> {
  const before = base.schema.tables[resource.name];
  const names = assignNames({
    reserved: [...tableForm(resource.name).columns.map(({ name }) => name), PARTITION_COLUMN.name],
    known: (before?.columns ?? []).flatMap(({ name, paths }) =>
      paths.map(({ source, path }) => ({ source, path, column: name })),
    ),
    paths: Object.fromEntries(
      observed.map(({ source, profiles }) => [source, profiles.map(({ path }) => path).filter(isUnique)]),
    ),
  });
  const byName = Map.groupBy(names, ({ column }) => column);
  const known = new Set(before?.columns.map(({ name }) => name));
  const order = [...known, ...[...byName.keys()].filter((name) => !known.has(name))];
  const columns: SchemaColumn[] = [];
  for (const name of order) {
    const column = before?.columns.find((each) => each.name === name);
    const retained = column === undefined ? [] : retainedKeys(base, resource.name, column);
    columns.push(
      await planColumn({
        record,
        table: resource.name,
        name,
        paths: byName.get(name) ?? [],
        before: column,
        appliedType: types?.[`${resource.name}.${name}`],
        observed,
        chooseWidth: (decision) => chooseWidth({ db, lake, decision, column: name, retained }),
      }),
    );
  }
  const keys: Record<string, RecordKey> = { ...before?.keys };
  for (const { source, key } of observed) if (key !== undefined) keys[source] = key;
  return {
    columns,
    keys,
    flattened: union(
      before?.flattened ?? [],
      observed.flatMap(({ flattened }) => flattened),
    ),
    unflattened: union(
      before?.unflattened ?? [],
      observed.flatMap(({ unflattened }) => unflattened),
    ),
    questions: observed.flatMap(({ source, questions }) =>
      questions.map((question) => ({ source, question })),
    ),
    duplicates: observed.flatMap(({ source, profiles }) =>
      profiles.filter(({ path }) => !isUnique(path)).map(({ path }) => ({ source, path: [...path] })),
    ),
  };
}

/** False for the second value of a key that an object has twice: its cell holds the first. */
function isUnique(path: readonly string[]): boolean {
  return !path.some((key) => key.includes(DUPLICATE_MARK));
}

const nameOf = (path: readonly string[]) => JSON.stringify(path);

/** The source's paths that have a column, which they keep. */
function pathsIn(table: TableSchema | undefined, source: string): ReadonlySet<string> {
  const paths = table?.columns.flatMap((column) => column.paths) ?? [];
  return new Set(paths.filter((each) => each.source === source).map(({ path }) => nameOf(path)));
}

function union(before: readonly (readonly string[])[], now: readonly (readonly string[])[]): string[][] {
  const all = new Map([...before, ...now].map((path) => [nameOf(path), [...path]]));
  return [...all.values()];
}
