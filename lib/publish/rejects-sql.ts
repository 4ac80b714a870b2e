import { DUPLICATE_MARK } from '../lake/raw/marks.ts';
import { type CellForm, cellForm, rejectSql, valueSql } from '../schema/cells/cast-sql.ts';
import type { Path } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import type { Schema, SchemaColumn } from '../schema/schema.ts';
import { quoteLiteral } from '../sql.ts';
import { valuesSql } from './values-sql.ts';

export interface RejectsOptions {
  readonly source: string;
  readonly table: string;
  readonly runId: string;
  /** SQL of the records with `record_key` and the values. */
  readonly records: string;
  /** The columns, and the SQL of their values as JSON text. */
  readonly columns: readonly { readonly column: SchemaColumn; readonly value: string }[];
  /** Second values of a key in one object. */
  readonly duplicates: readonly { readonly path: Path; readonly value: string }[];
  /** True: moments that were cut are counted here, a row a column. */
  readonly withCuts: boolean;
}

/**
 * SQL of a row a value that does not stand in its cell as the API said it, but for moments that were only cut, unless
 * `withCuts`: see `cutsSql`. Undefined where plan saw no such value: then nothing is read again.
 */
export function rejectsSql(options: RejectsOptions): string | undefined {
  const { source, table, runId, records } = options;
  const entries = [
    ...options.columns.flatMap((each) => columnEntry(each, options)),
    ...options.duplicates.map(duplicateEntry),
  ];
  if (entries.length === 0) return undefined;
  const moments = options.columns.flatMap(({ column: { name, type } }) =>
    type === 'timestamp' ? [quoteLiteral(name)] : [],
  );
  const isCut =
    options.withCuts && moments.length > 0
      ? `(entry.reason = 'precision' and entry.column_name in (${moments.join(', ')}))`
      : 'false';
  return `
    -- grain: value that is not in its cell
    select
      ${quoteLiteral(source)} as export_source,
      ${quoteLiteral(runId)} as export_run_id,
      ${quoteLiteral(table)} as table_name,
      case when not ${isCut} then record_key end as record_key,
      entry.column_name as column_name,
      case when not ${isCut} then reject_text(entry.raw_value) end as raw_value,
      entry.reason as reason,
      count(*) as count
    from (
      select record_key, unnest(list_filter([${entries.join(', ')}], lambda each: each.reason is not null)) as entry
      from (${records})
    )
    group by all`;
}

function columnEntry(
  { column, value }: RejectsOptions['columns'][number],
  { source, withCuts }: RejectsOptions,
): readonly string[] {
  const own = cellForm(column, source);
  const form = withCuts ? own : withoutCuts(own);
  const reason = rejectSql(form, { value, cell: valueSql(form, value) });
  if (reason === 'NULL::VARCHAR') return [];
  return [`{ column_name: ${quoteLiteral(column.name)}, raw_value: ${value}, reason: ${reason} }`];
}

function withoutCuts(form: CellForm): CellForm {
  const { type, rejects } = form;
  return type === 'timestamp' && rejects !== undefined
    ? { ...form, rejects: { ...rejects, precision: 0 } }
    : form;
}

/**
 * SQL of a row a source and column of a table for its moments that were cut to the millisecond: only their count is of
 * interest, and plan has it for the table as a whole, of however many units it is. Undefined where there are none.
 */
export function cutsSql({ tables }: Schema, table: string, runId: string): string | undefined {
  const rows = (tables[table]?.columns ?? [])
    .filter(({ type }) => type === 'timestamp')
    .flatMap(({ name, rejects }) =>
      Object.entries(rejects).map(([source, { precision }]) => ({
        export_source: source,
        export_run_id: runId,
        table_name: table,
        record_key: null,
        column_name: name,
        raw_value: null,
        reason: 'precision',
        count: precision,
      })),
    )
    .filter(({ count }) => count > 0);
  return rows.length === 0 ? undefined : valuesSql('rejects', rows);
}

/** The cell has the first value of the key. */
function duplicateEntry({ path, value }: RejectsOptions['duplicates'][number]): string {
  const name = columnName(path.map((key) => key.split(DUPLICATE_MARK)[0] ?? ''));
  return `{ column_name: ${quoteLiteral(name)}, raw_value: ${value}, reason: case when ${value} is not null then 'name' end }`;
}
