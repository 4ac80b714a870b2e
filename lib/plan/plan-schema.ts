import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { DUPLICATE_MARK } from '../lake/raw/marks.ts';
import { lostCells } from '../run/history/lost-cells.ts';
import { assignNames } from '../schema/columns/assign-names.ts';
import type { RecordKey } from '../schema/record-key.ts';
import type { Schema, SchemaColumn, TableSchema } from '../schema/schema.ts';
import { PARTITION_COLUMN, tableForm } from '../schema/tables.ts';
import { RESOURCES, type Resource } from '../sources/resources.ts';
import { type ObserveSourcesOptions, observeSources, type SourceObserved } from './observe-sources.ts';
import { planColumn } from './plan-column.ts';

export interface PlanSchemaOptions extends ObserveSourcesOptions {
  readonly lake: Lake;
  /** Types that the operator gave columns. */
  readonly types: Head['types'];
}

/** The schema after this run: the one before, with what the run's records show. */
export async function planSchema(options: PlanSchemaOptions): Promise<Schema> {
  const tables: Record<string, TableSchema> = { ...options.base.schema.tables };
  const observed = await observeSources(options);
  for (const resource of RESOURCES) {
    const own = observed.filter((each) => each.resource === resource.name);
    tables[resource.name] = await planTable(options, resource, own);
  }
  return { ...options.base.schema, tables };
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
      observed.map(({ source, profiles, dropped }) => [
        source,
        [...profiles.map(({ path }) => path), ...dropped].filter(isUnique),
      ]),
    ),
  });
  const byName = Map.groupBy(names, ({ column }) => column);
  const known = new Set(before?.columns.map(({ name }) => name));
  const order = [...known, ...[...byName.keys()].filter((name) => !known.has(name))];
  const columns: SchemaColumn[] = [];
  for (const name of order) {
    columns.push(
      await planColumn({
        record,
        table: resource.name,
        name,
        paths: byName.get(name) ?? [],
        before: before?.columns.find((each) => each.name === name),
        appliedType: types?.[`${resource.name}.${name}`],
        observed,
        lostBy: (change) => lostCells({ db, lake, base, table: resource.name, ...change }),
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
    questions: observed.flatMap(({ questions }) => questions),
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

function union(before: readonly (readonly string[])[], now: readonly (readonly string[])[]): string[][] {
  const all = new Map([...before, ...now].map((path) => [nameOf(path), [...path]]));
  return [...all.values()];
}
