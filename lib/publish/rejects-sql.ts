import { DUPLICATE_MARK } from '../api/mend.ts';
import type { Path } from '../schema/assign-names.ts';
import { cellForm, IS_HALVED, rejectSql, valueSql } from '../schema/cast-sql.ts';
import { columnName } from '../schema/column-name.ts';
import type { SchemaColumn } from '../schema/schema.ts';
import { quoteLiteral } from '../schema/sql.ts';

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
}

/**
 * SQL of a row a value that does not stand in its cell as the API said it; values that were only cut are counted, a row
 * a column. Undefined where plan saw no such value: then nothing is read again.
 */
export function rejectsSql(options: RejectsOptions): string | undefined {
  const { source, table, runId, records } = options;
  const entries = [
    ...options.columns.flatMap((each) => columnEntry(each, source)),
    ...options.duplicates.map(duplicateEntry),
  ];
  if (entries.length === 0) return undefined;
  // Of moments that were cut only the count is of interest.
  const isShown = `entry.reason <> 'precision' or ${IS_HALVED('entry.raw_value')}`;
  return `
    -- grain: value that is not in its cell; column for values that were cut
    select
      ${quoteLiteral(source)} as export_source,
      ${quoteLiteral(runId)} as export_run_id,
      ${quoteLiteral(table)} as table_name,
      case when ${isShown} then record_key end as record_key,
      entry.column_name as column_name,
      case when ${isShown} then reject_text(entry.raw_value) end as raw_value,
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
  source: string,
): readonly string[] {
  const form = cellForm(column, source);
  const reason = rejectSql(form, { value, cell: valueSql(form, value) });
  if (reason === 'NULL::VARCHAR') return [];
  return [`{ column_name: ${quoteLiteral(column.name)}, raw_value: ${value}, reason: ${reason} }`];
}

/** The cell has the first value of the key. */
function duplicateEntry({ path, value }: RejectsOptions['duplicates'][number]): string {
  const name = columnName(path.map((key) => key.split(DUPLICATE_MARK)[0] ?? ''));
  return `{ column_name: ${quoteLiteral(name)}, raw_value: ${value}, reason: case when ${value} is not null then 'name' end }`;
}
