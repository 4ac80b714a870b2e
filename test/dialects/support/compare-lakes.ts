import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { type DuckDb, openDuckDb } from '#lib/runtime/duckdb.ts';
import { readSchema } from '#lib/schema/schema.ts';
import { quoteIdentifier, quoteLiteral } from '#lib/sql.ts';
import { tableViews } from '#lib/views/table-views.ts';
import { kindOf, SERVED, type ServedResource } from '#simulator/kind.ts';
import { FIELDS } from '#simulator/profiles/fields.ts';
import type { World } from '#simulator/world/world.ts';
import type { Comparability, FieldColumn } from './comparability.ts';
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
const OF_THE_RUN = ['export_source', 'export_run_id', 'exported_at', 'record_key', 'export_date'];

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
  for (const { name } of SERVED.filter(({ name }) => !comparability.reshaped.includes(name)))
    differences.push(...(await compareTable(db, name, options)));
  return differences;
}

async function attach(db: DuckDb, lake: Lake, schemaName: string): Promise<void> {
  const head = (await readHead(lake))?.head;
  if (head === undefined) throw new Error(`${schemaName} has no head`);
  await db.run(`create schema ${schemaName}`);
  for (const { name, sql } of tableViews(lake, { head, schema: await readSchema(lake, head.schema) }))
    await db.run(`create view ${schemaName}."${name}" as ${await sql()}`);
}

/** A macro a resource: the id of a record in the dialect, by its id in reference. */
async function putIds(db: DuckDb, { world, days, comparability }: CompareOptions): Promise<void> {
  for (const { name } of SERVED) {
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

const idKey = (name: ServedResource) => Object.entries(FIELDS[name]).find(([, kind]) => kind === 'id')?.[0];

async function compareTable(
  db: DuckDb,
  name: ServedResource,
  { comparability, days }: CompareOptions,
): Promise<readonly string[]> {
  const dates = `where export_date in (${days.map((day) => quoteLiteral(timeOf(day).slice(0, 10))).join(', ')})`;
  const other = await typesOf(db, `other.${name}_daily`);
  const wanted = await wantedColumns(db, name, comparability);
  const found = [...other.keys()].filter((column) => !OF_THE_RUN.includes(column));
  const expected = new Set([...wanted.map(({ here }) => here), ...(comparability.added[name] ?? [])]);
  const missing = [...expected].filter((column) => !found.includes(column));
  const beside = found.filter((column) => !expected.has(column));
  if (missing.length + beside.length > 0) return [`${name}: lacks ${missing}, has beside ${beside}`];
  const retyped = wanted.flatMap(({ column, here, type }) =>
    type === undefined || type === other.get(here)
      ? []
      : [`${name}.${column}: ${other.get(here)}, not ${type}`],
  );
  if (retyped.length > 0) return retyped;

  const isSameIds = comparability.idText(name, 17) === '17';
  const keys = ['export_date', ...(isSameIds ? ['record_key'] : [])];
  const here = [...keys, ...wanted.map((each) => `${each.cell} as ${quoteIdentifier(each.column)}`)];
  const there = [...keys, ...wanted.map((each) => `${each.truth} as ${quoteIdentifier(each.column)}`)];
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
  if (row?.rows === 0n) return [`${name}: reference has no rows to compare`];
  if (row?.same_keys !== 0n) return [`${name}: ${row?.same_keys} rows share a record_key`];
  if (row?.lacking === 0n && row?.beside === 0n) return [];
  return [
    `${name}: ${row?.lacking} rows are lacking, such as\n${row?.example}\n${row?.beside} are beside, such as\n${row?.other}`,
  ];
}

interface WantedColumn {
  /** In reference. */
  readonly column: string;
  readonly here: string;
  /** Undefined for ids, which a dialect may write as numbers or as text. */
  readonly type: string | undefined;
  /** SQL of the cell here, and of what it has to be, from the row of reference. */
  readonly cell: string;
  readonly truth: string;
}

/** Every column that the table has to have, and nothing else: a dialect decides whether one without values is there. */
async function wantedColumns(
  db: DuckDb,
  name: ServedResource,
  comparability: Comparability,
): Promise<readonly WantedColumn[]> {
  const table = `reference.${name}_daily`;
  const types = await typesOf(db, table);
  const own = comparability.columns(name);
  const kind = kindOf(name);
  const parents = [...types.keys()].filter(
    (column) => !OF_THE_RUN.includes(column) && !own.some((each) => each.name === column),
  );
  const strange = parents.filter((column) => column !== 'player_id' && column !== 'storage_id');
  if (strange.length > 0) throw new Error(`${name} of reference has ${strange}, which no field is`);
  const seen = await withValues(db, table, [...types.keys()]);
  const isThere = ({ name: column, absent }: FieldColumn) =>
    seen.has(column) || (absent === 'native' ? types.has(column) : absent !== 'omitted');
  return [
    ...parents.map((column) => idColumn(column, column, name)),
    ...own.filter(isThere).map((field) => {
      const { name: column, absent } = field;
      const here = comparability.renamed[name]?.[column] ?? column;
      if (idsOfColumn(name, column) !== undefined) return idColumn(column, here, name);
      const asked = comparability.settings[kind]?.resources?.[name]?.columns?.[column]?.type.toUpperCase();
      const unseen = asked ?? (absent === 'sentinel' ? 'TIMESTAMP' : 'VARCHAR');
      const value = types.has(column) ? quoteIdentifier(column) : 'null';
      return {
        column,
        here,
        type: seen.has(column) ? types.get(column) : unseen,
        cell: quoteIdentifier(here),
        truth: absent === 'empty' ? `coalesce(${value}, '')` : value,
      };
    }),
  ];
}

function idColumn(column: string, here: string, name: ServedResource): WantedColumn {
  return {
    column,
    here,
    type: undefined,
    cell: `${quoteIdentifier(here)}::varchar`,
    truth: `(select any_value(here) from ids_${idsOfColumn(name, column)} where ref = ${quoteIdentifier(column)}::varchar)`,
  };
}

/** The resource whose ids a column of reference holds. */
function idsOfColumn(name: ServedResource, column: string): ServedResource | undefined {
  if (column === 'player_id') return 'players';
  if (column === 'storage_id') return 'backup_storages';
  if (column === 'parent_id') return 'app_groups';
  return column === 'id' ? name : undefined;
}

async function typesOf(db: DuckDb, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows(`select column_name, column_type from (describe ${table})`);
  return new Map(rows.map((row) => [String(row.column_name), String(row.column_type)]));
}

/** Those of the columns that have a value: one that is null for ever is in the catalog alone. */
async function withValues(
  db: DuckDb,
  table: string,
  columns: readonly string[],
): Promise<ReadonlySet<string>> {
  const counts = columns.map((column, index) => `count(${quoteIdentifier(column)}) as n${index}`);
  const [row] = await db.rows(`select ${counts.join(', ')} from ${table}`);
  return new Set(columns.filter((_, index) => row?.[`n${index}`] !== 0n));
}
