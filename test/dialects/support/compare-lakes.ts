import { tableViews } from '#cli/table-views.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { RESOURCES, type ResourceName } from '#lib/resources.ts';
import { type DuckDb, openDuckDb } from '#lib/runtime/duckdb.ts';
import { readSchema } from '#lib/schema/schema.ts';
import { quoteIdentifier, quoteLiteral } from '#lib/schema/sql.ts';
import type { Comparability } from '#simulator/profiles/comparability.ts';
import { FIELDS } from '#simulator/profiles/fields.ts';
import type { World } from '#simulator/world/world.ts';
import { timeOf } from './export-days.ts';

export interface CompareOptions {
  readonly reference: Lake;
  readonly other: Lake;
  readonly comparability: Comparability;
  /** What both were exported from. */
  readonly world: World;
  readonly days: readonly number[];
}

/** What every row has, and differs between two lakes. */
const OF_THE_RUN = ['export_source', 'export_run_id', 'exported_at', 'record_key'];

/** How the tables of all days differ from those of reference, in their class: a sentence a table; none where they agree. */
export async function compareLakes(options: CompareOptions): Promise<readonly string[]> {
  const { reference, other, comparability } = options;
  await using scratch = await other.scratch();
  using db = await openDuckDb({
    folders: [...reference.folders, ...other.folders],
    spillTo: scratch.path,
    memoryLimitMiB: 512,
    threads: 2,
  });
  await attach(db, reference, 'reference');
  await attach(db, other, 'other');
  await putIds(db, options);
  const differences: string[] = [];
  for (const { name } of RESOURCES.filter(({ name }) => !comparability.reshaped.includes(name)))
    differences.push(...(await compareTable(db, name, options)));
  return differences;
}

async function attach(db: DuckDb, lake: Lake, schemaName: string): Promise<void> {
  const head = (await readHead(lake))?.head;
  if (head === undefined) throw new Error(`${schemaName} has no head`);
  await db.run(`create schema ${schemaName}`);
  for (const view of await tableViews(lake, head, await readSchema(lake, head.schema)))
    await db.run(view.replace('create view ', `create view ${schemaName}.`));
}

/** A macro a resource: the id of a record in the dialect, by its id in reference. */
async function putIds(db: DuckDb, { world, days, comparability }: CompareOptions): Promise<void> {
  for (const { name } of RESOURCES) {
    const key = idKey(name);
    const ids = new Set(
      key === undefined
        ? []
        : days.flatMap((day) => [...world.at(day).all(name)].map(({ record }) => Number(record[key]))),
    );
    const rows = [...ids].map(
      (id) => `(${quoteLiteral(String(id))}, ${quoteLiteral(comparability.idText(name, id))})`,
    );
    await db.run(`create temp table ids_${name} (ref varchar, here varchar)`);
    if (rows.length > 0) await db.run(`insert into ids_${name} values ${rows.join(', ')}`);
  }
}

const idKey = (name: ResourceName) => Object.entries(FIELDS[name]).find(([, kind]) => kind === 'id')?.[0];

async function compareTable(
  db: DuckDb,
  name: ResourceName,
  { comparability, days }: CompareOptions,
): Promise<readonly string[]> {
  const dates = `where export_date in (${days.map((day) => quoteLiteral(timeOf(day).slice(0, 10))).join(', ')})`;
  const [reference, other] = await Promise.all([
    typesOf(db, `reference.${name}_daily`),
    typesOf(db, `other.${name}_daily`),
  ]);
  const renamed = comparability.renamed[name] ?? {};
  const added = comparability.added[name] ?? [];
  const wanted = [...reference.keys()].filter((column) => !OF_THE_RUN.includes(column));
  const found = new Set(wanted.map((column) => renamed[column] ?? column));
  const missing = [...found].filter((column) => !other.has(column));
  const beside = [...other.keys()].filter(
    (column) => !found.has(column) && !added.includes(column) && !OF_THE_RUN.includes(column),
  );
  const more = await withValues(db, `other.${name}_daily`, beside);
  if (missing.length + more.length > 0) return [`${name}: lacks ${missing}, has beside ${more}`];
  const retyped = wanted.flatMap((column) => {
    const [was, is] = [reference.get(column), other.get(renamed[column] ?? column)];
    return idsOfColumn(name, column) !== undefined || was === is
      ? []
      : [`${name}.${column}: ${is}, not ${was}`];
  });
  if (retyped.length > 0) return retyped;

  const isSameIds = comparability.idText(name, 17) === '17';
  const keys = isSameIds ? ['record_key'] : [];
  const here = [
    ...keys,
    ...wanted.map((column) => cell(renamed[column] ?? column, name, { column, comparability, other })),
  ];
  const there = [...keys, ...wanted.map((column) => mapped(column, name, { comparability, reference }))];
  const [row] = await db.rows(`
    -- grain: one row; what one side has and the other lacks
    with here as (select ${here.join(', ')} from other.${name}_daily ${dates}),
    there as (select ${there.join(', ')} from reference.${name}_daily ${dates})
    select
      (select count(*) from (from there except all from here)) as lacking,
      (select count(*) from (from here except all from there)) as beside,
      (select to_json(any_value(each))::varchar from (from there except all from here) as each) as example,
      (select to_json(any_value(each))::varchar from (from here except all from there) as each) as other,
      (select count(*) from there) as rows,
      (select count(*) - count(distinct (export_date, export_source, record_key)) from other.${name}_daily) as same_keys`);
  if (row?.rows === 0n && name !== 'licenses') return [`${name}: reference has no rows to compare`];
  if (row?.same_keys !== 0n) return [`${name}: ${row?.same_keys} rows share a record_key`];
  if (row?.lacking === 0n && row?.beside === 0n) return [];
  return [
    `${name}: ${row?.lacking} rows are lacking, such as\n${row?.example}\n${row?.beside} are beside, such as\n${row?.other}`,
  ];
}

async function typesOf(db: DuckDb, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows(`select column_name, column_type from (describe ${table})`);
  return new Map(rows.map((row) => [String(row.column_name), String(row.column_type)]));
}

/** Those of the columns that have a value: one that a dialect writes as null for ever is in the catalog alone. */
async function withValues(db: DuckDb, table: string, columns: readonly string[]): Promise<readonly string[]> {
  if (columns.length === 0) return [];
  const counts = columns.map((column, index) => `count(${quoteIdentifier(column)}) as n${index}`);
  const [row] = await db.rows(`select ${counts.join(', ')} from ${table}`);
  return columns.filter((_, index) => row?.[`n${index}`] !== 0n);
}

/** The resource whose ids a column of reference holds. */
function idsOfColumn(name: ResourceName, column: string): ResourceName | undefined {
  if (column === 'player_id') return 'players';
  if (column === 'storage_id') return 'backup_storages';
  if (column === 'parent_id') return 'app_groups';
  return column === 'id' ? name : undefined;
}

function cell(
  written: string,
  name: ResourceName,
  {
    column,
    comparability,
    other,
  }: { column: string; comparability: Comparability; other: ReadonlyMap<string, string> },
): string {
  const quoted = quoteIdentifier(written);
  if (idsOfColumn(name, column) !== undefined) return `${quoted}::varchar as ${quoteIdentifier(column)}`;
  const isEmptied = comparability.emptyForAbsent && other.get(written) === 'VARCHAR';
  return `${isEmptied ? `nullif(${quoted}, '')` : quoted} as ${quoteIdentifier(column)}`;
}

function mapped(
  column: string,
  name: ResourceName,
  { comparability, reference }: { comparability: Comparability; reference: ReadonlyMap<string, string> },
): string {
  const quoted = quoteIdentifier(column);
  const ids = idsOfColumn(name, column);
  if (ids !== undefined)
    return `(select any_value(here) from ids_${ids} where ref = ${quoted}::varchar) as ${quoted}`;
  const isEmptied = comparability.emptyForAbsent && reference.get(column) === 'VARCHAR';
  return `${isEmptied ? `nullif(${quoted}, '')` : quoted} as ${quoted}`;
}
