import type { ColumnType } from '../column-types.ts';
import { sourceIfAny } from '../config/config.ts';
import type { Head } from '../lake/head.ts';
import { lostCells } from '../run/history/lost-cells.ts';
import { retainedProfiles } from '../run/history/retained-profiles.ts';
import { assignNames, type Path, pathText, placeOf } from '../schema/columns/assign-names.ts';
import { type AliasedPath, giveAliases } from '../schema/columns/give-aliases.ts';
import type { RecordKey } from '../schema/record-key.ts';
import { laterSince, type Schema, type SchemaColumn, type TableSchema } from '../schema/schema.ts';
import { PARTITION_COLUMN, tableForm } from '../schema/tables.ts';
import { RESOURCES, type Resource } from '../sources/resources.ts';
import { holdOtherRecords } from './meaning/other-records.ts';
import { observeSources, type SourceObserved } from './observe-sources.ts';
import { planColumn } from './plan-column.ts';
import type { Seen } from './plan-paths.ts';
import type { Planning } from './planning.ts';

interface PlanSchemaOptions extends Planning {
  /** Types that the operator set for columns. */
  readonly types: Head['types'];
  /** TABLE.COLUMN → the type that views want for it. */
  readonly wanted: ReadonlyMap<string, ColumnType>;
  /** TABLE.COLUMN of what views cannot do without. */
  readonly needed: ReadonlySet<string>;
}

/** The schema after this run: the one before, with what the run's records show. */
export async function planSchema(options: PlanSchemaOptions): Promise<Schema> {
  const tables: Record<string, TableSchema> = { ...options.base.schema.tables };
  const observed = await holdOtherRecords(await observeSources(options), options);
  for (const resource of RESOURCES) {
    const own = observed.filter((each) => each.resource === resource.name);
    tables[resource.name] = await planTable(options, resource, own);
  }
  const { groups, hours = [], timeZone, targets } = options.record.config;
  return {
    ...options.base.schema,
    later: laterSince(options.base.schema, options.record.runId),
    tables,
    groups: [...groups],
    hours: hours.map((each) => ({ ...each })),
    timeZone,
    ...(targets !== undefined && { targets }),
  };
}

async function planTable(
  { db, lake, record, base, types, wanted, needed }: PlanSchemaOptions,
  resource: Resource,
  observed: readonly SourceObserved[],
): Promise<TableSchema> {
  const before = base.schema.tables[resource.name];
  const plainNames = assignNames({
    reserved: [...tableForm(resource.name).columns.map(({ name }) => name), PARTITION_COLUMN.name],
    known: (before?.columns ?? []).flatMap(({ name, paths }) =>
      paths.map(({ source, path, plainName }) => ({ source, path, column: plainName ?? name })),
    ),
    paths: Object.fromEntries(
      observed.map(({ source, profiles, dropped }) => [
        source,
        [...profiles.map(({ path }) => path), ...dropped],
      ]),
    ),
  });
  const aliasOf = (source: string, plainName: string) => {
    const configured = sourceIfAny(record.config, source);
    // A source that has left the config keeps its names.
    if (configured === undefined) return columnOf(before, { source, plainName })?.name;
    const columns = configured.resources[resource.name]?.columns ?? {};
    return Object.hasOwn(columns, plainName) ? columns[plainName]?.as : undefined;
  };
  const shown = new Set(
    observed.flatMap(({ source, profiles }) => profiles.map(({ path }) => placeOf({ source, path }))),
  );
  const names = giveAliases(plainNames, aliasOf, (each) => shown.has(placeOf(each)));
  const byName = Map.groupBy(names, ({ column }) => column);
  const known = new Set(before?.columns.map(({ name }) => name));
  const order = [...known, ...[...byName.keys()].filter((name) => !known.has(name))];
  const seenBefore = new Map(
    (before?.columns ?? []).flatMap((column) =>
      column.paths.map((path): [string, Seen] => {
        const { firstSeen = column.firstSeen, lastSeen = column.lastSeen } = path;
        return [placeOf(path), { firstSeen, lastSeen }];
      }),
    ),
  );
  const columns: SchemaColumn[] = [];
  for (const name of order) {
    const paths = byName.get(name) ?? [];
    // All its paths have another name now.
    if (paths.length === 0) continue;
    // A column with a new name continues what it was under its old one.
    const column = earlierColumn(before, { name, paths });
    columns.push(
      await planColumn({
        record,
        table: resource.name,
        name,
        paths,
        before: column,
        appliedType: types?.[`${resource.name}.${name}`],
        wanted: wanted.get(`${resource.name}.${name}`),
        isNeeded: needed.has(`${resource.name}.${name}`),
        observed,
        seenBefore,
        samples: before?.samples ?? {},
        lostBy: (change) => lostCells({ db, lake, base, table: resource.name, ...change }),
        keptOf: (kept) => retainedProfiles({ db, lake, base, table: resource.name, column: kept }),
      }),
    );
  }
  const keys: Record<string, RecordKey> = { ...before?.keys };
  for (const { source, key } of observed) if (key !== undefined) keys[source] = key;
  return {
    columns,
    keys,
    flattened: union([before, ...observed].flatMap((each) => each?.flattened ?? [])),
    unflattened: union([before, ...observed].flatMap((each) => each?.unflattened ?? [])),
    questions: observed.flatMap(({ questions }) => questions),
    samples: {
      ...before?.samples,
      ...Object.fromEntries(
        observed.flatMap(({ source, sampled }) => (sampled === undefined ? [] : [[source, sampled]])),
      ),
    },
  };
}

/** The column that holds the source's path of that plain name, under another name. */
function columnOf(
  table: TableSchema | undefined,
  { source, plainName }: { readonly source: string; readonly plainName: string },
): SchemaColumn | undefined {
  return table?.columns.find(({ paths }) =>
    paths.some((path) => path.source === source && path.plainName === plainName),
  );
}

/** The column of earlier runs: the one of this name with one of its paths, otherwise any with one. */
function earlierColumn(
  table: TableSchema | undefined,
  { name, paths }: { readonly name: string; readonly paths: readonly AliasedPath[] },
): SchemaColumn | undefined {
  const places = new Set(paths.map(placeOf));
  const found = (table?.columns ?? []).filter((column) =>
    column.paths.some((path) => places.has(placeOf(path))),
  );
  return found.find((column) => column.name === name) ?? found[0];
}

/** Each path once. */
function union(paths: readonly Path[]): string[][] {
  return [...new Map(paths.map((path) => [pathText(path), [...path]])).values()];
}
