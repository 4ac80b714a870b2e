import { duckdbType } from '../column-types.ts';
import type { TableHead } from '../lake/head.ts';
import { tableKeys } from '../lake/table-files.ts';
import { cellForm, rejectSql, valueSql } from '../schema/cells/cast-sql.ts';
import { cellJsonSql } from '../schema/cells/cell-text-sql.ts';
import { columnsInFiles, type Schema, type SchemaColumn, type TableColumn } from '../schema/schema.ts';
import { droppedHere, type Retyped, retypedColumns } from '../schema/schema-changes.ts';
import { tableForm } from '../schema/tables.ts';
import { emptyRelation, quoteIdentifier, quoteLiteral, readParquet } from '../sql.ts';
import { droppedSql, maskedSql } from './hidden-sql.ts';
import type { UnitContext } from './unit-context.ts';

export interface RecastOptions {
  readonly table: string;
  readonly files: TableHead['newest'];
}

export interface Recast {
  /** SQL of the date's rows with the columns and types of now. */
  readonly rows: string;
  /** SQL of the values that do not stand in their cells now, with the columns of `rejects`. */
  readonly rejects: string | undefined;
}

/**
 * A date's committed rows with the types of now. A whole number that became a decimal is cast. Every other value is read
 * anew from its text: that of its cell, or, where that was null, of the date's rejects, which hold what did not fit.
 */
export async function recastSql(context: UnitContext, { table, files }: RecastOptions): Promise<Recast> {
  const { base, schema, services } = context;
  const there = columnsInFiles(base.schema, table, files.run);
  const retyped = retypedColumns(base.schema, schema, table).filter(({ column }) => there.has(column.name));
  // The 19 digits of a bigint are among the 29 that a decimal has before its point.
  const reread = retyped.filter(
    ({ from, column }) => !(from === 'bigint' && column.type === 'decimal(38,9)'),
  );
  const rows = readParquet(await services.lake.localPaths(tableKeys(table, files)));
  const dropped = droppedHere(base.schema, schema, table);
  const droppedOf = (name: string) => dropped.find(({ column }) => column === name);
  const shown = reread.map(
    ({ column }, index) => `${droppedSql(droppedOf(column.name), textOf(index))} as ${textOf(index)}`,
  );
  const texts =
    reread.length === 0
      ? `select * from ${rows}`
      : `select * replace (${shown.join(', ')}) from (${await textsSql(context, { table, rows, reread })})`;
  const cells = columnsOf(schema, table).map(({ name, type }) => {
    const index = reread.findIndex(({ column }) => column.name === name);
    const found = reread[index];
    const cell =
      found === undefined
        ? `${there.has(name) ? quoteIdentifier(name) : 'null'}::${duckdbType(type)}`
        : maskedSql(found, bySource(found.column, textOf(index), valueSql));
    return `${droppedSql(droppedOf(name), cell)} as ${quoteIdentifier(name)}`;
  });
  return {
    rows: `
      -- grain: record
      select ${cells.join(', ')} from (${texts})`,
    rejects: reread.length === 0 ? undefined : rejectedSql({ table, texts, reread }),
  };
}

/** The column of the text of the i-th column that is read anew. */
export const textOf = (index: number) => `text_${index}`;

function columnsOf(schema: Schema, table: string): readonly TableColumn[] {
  const own = schema.tables[table]?.columns.filter(({ provisional }) => !provisional) ?? [];
  return [...tableForm(table).columns, ...own];
}

/** SQL of each row with the text, as JSON, of what stood in its cells or was rejected from them: text_0, text_1, … */
export async function textsSql(
  { base, services }: Pick<UnitContext, 'base' | 'services'>,
  {
    table,
    rows,
    reread,
  }: { readonly table: string; readonly rows: string; readonly reread: readonly Retyped[] },
): Promise<string> {
  const dates = Object.entries(base.head?.tables.rejects?.dates ?? {});
  const keys = dates.flatMap(([date, files]) => tableKeys('rejects', { date, ...files }));
  const paths = await services.lake.localPaths(keys);
  const rejected =
    paths.length === 0
      ? emptyRelation(tableForm('rejects').columns)
      : `select * from ${readParquet(paths)} where table_name = ${quoteLiteral(table)} and reason in ('type', 'sentinel')`;
  const joins = reread.map(
    ({ column }, index) => `
      left join (
        select export_source, export_run_id, record_key, any_value(raw_value) as raw_value
        from (${rejected})
        where column_name = ${quoteLiteral(column.name)}
        group by all
      ) as rejected_${index} using (export_source, export_run_id, record_key)`,
  );
  const texts = reread.map(
    ({ column, from }, index) =>
      `coalesce(${cellJsonSql(`stored.${quoteIdentifier(column.name)}`, from)}, to_json(rejected_${index}.raw_value)::varchar) as ${textOf(index)}`,
  );
  return `select stored.*, ${texts.join(', ')} from ${rows} as stored ${joins.join('')}`;
}

type CellSql = (form: ReturnType<typeof cellForm>, value: string) => string;

/** Each source's texts are read in its own way. */
function bySource(column: SchemaColumn, value: string, sql: CellSql): string {
  const sources = Object.keys(column.readings);
  const branches = sources.map(
    (source) => `when ${quoteLiteral(source)} then ${sql(unsure(column, source), value)}`,
  );
  const rest = sql(unsure(column, ''), value);
  return branches.length === 0 ? rest : `case export_source ${branches.join(' ')} else ${rest} end`;
}

/** Nothing was counted of these values, so every reason is possible. */
function unsure(column: SchemaColumn, source: string): ReturnType<typeof cellForm> {
  return cellForm({ type: column.type, readings: column.readings }, source);
}

function rejectedSql({
  table,
  texts,
  reread,
}: {
  readonly table: string;
  readonly texts: string;
  readonly reread: readonly Retyped[];
}): string {
  const entries = reread.map(({ column }, index) => {
    const reason = bySource(column, textOf(index), (form, value) =>
      rejectSql(form, { value, cell: valueSql(form, value) }),
    );
    return `{ column_name: ${quoteLiteral(column.name)}, raw_value: ${textOf(index)}, reason: ${reason} }`;
  });
  return `
    -- grain: value that is not in its cell
    select
      export_source,
      export_run_id,
      ${quoteLiteral(table)} as table_name,
      record_key,
      entry.column_name as column_name,
      cell_text(entry.raw_value) as raw_value,
      entry.reason as reason,
      1 as count
    from (
      select *, unnest(list_filter([${entries.join(', ')}], lambda each: each.reason is not null)) as entry
      from (${texts})
    )`;
}
