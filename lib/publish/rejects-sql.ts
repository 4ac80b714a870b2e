import { type CellForm, cellForm, rejectSql, valueSql } from '../schema/cells/cast-sql.ts';
import { type CellMaker, madeCells } from '../schema/cells/made-cells.ts';
import { type Schema, type SchemaColumn, valueType } from '../schema/schema.ts';
import { tableForm } from '../schema/tables.ts';
import { isIn, quoteLiteral, rowsSql } from '../sql.ts';

export interface RejectsOptions {
  readonly source: string;
  readonly table: string;
  readonly runId: string;
  /** SQL of the records with `record_key` and the values. */
  readonly records: string;
  /** The columns, and the SQL of their values as JSON text. */
  readonly columns: readonly { readonly column: SchemaColumn; readonly value: string }[];
  /** Names of the masked columns: their rejects have the masks of the values. */
  readonly masked: readonly string[];
  /** True: counts moments that were cut to the millisecond, in one row for each column. */
  readonly withCuts: boolean;
  /** True if the records are few, see `madeCells`. */
  readonly areFew: boolean;
}

/**
 * SQL of one row for each value that its cell does not hold as the API sent it. `cutsSql` has moments that
 * were only cut, unless `withCuts`. Undefined if plan saw no such value, so that nothing is read again.
 */
export function rejectsSql(options: RejectsOptions): string | undefined {
  const { source, table, runId, records } = options;
  const reasons = reasonsOf(options);
  const made = madeCells(records, reasons, options);
  const entries = reasons.map(
    ({ name, value }, index) =>
      `{ column_name: ${quoteLiteral(name)}, raw_value: ${value}, reason: ${made.cells[index] ?? 'null'} }`,
  );
  if (entries.length === 0) return undefined;
  const moments = options.columns.flatMap(({ column }) =>
    valueType(column) === 'timestamp' ? [column.name] : [],
  );
  const text = 'reject_text(entry.raw_value)';
  const raw =
    options.masked.length === 0
      ? text
      : `case when ${isIn('entry.column_name', options.masked)}
          then mask_text(${quoteLiteral(`${table}.`)} || entry.column_name, ${text}) else ${text} end`;
  const isCut = options.withCuts
    ? `(entry.reason = 'precision' and ${isIn('entry.column_name', moments)})`
    : 'false';
  return `
    -- grain: value that is not in its cell
    select
      ${quoteLiteral(source)} as export_source,
      ${quoteLiteral(runId)} as export_run_id,
      ${quoteLiteral(table)} as table_name,
      case when not ${isCut} then record_key end as record_key,
      entry.column_name as column_name,
      case when not ${isCut} then ${raw} end as raw_value,
      entry.reason as reason,
      count(*) as count
    from (
      select record_key, unnest(list_filter([${entries.join(', ')}], lambda each__: each__.reason is not null)) as entry
      from ${made.from}
    )
    group by all`;
}

/** For each column that may have such values: why a value is not in its cell. */
function reasonsOf(options: RejectsOptions): readonly (CellMaker & { readonly name: string })[] {
  const { columns, source, withCuts } = options;
  return columns.flatMap(({ column, value }) => {
    const own = cellForm({ ...column, type: valueType(column) }, source);
    const form = withCuts ? own : withoutCuts(own);
    const sqlOf = (of: string) => rejectSql(form, { value: of, cell: valueSql(form, of) });
    return sqlOf(value) === 'NULL::VARCHAR' ? [] : [{ name: column.name, value, sqlOf }];
  });
}

function withoutCuts(form: CellForm): CellForm {
  const { type, rejects } = form;
  return type === 'timestamp' && rejects !== undefined
    ? { ...form, rejects: { ...rejects, precision: 0 } }
    : form;
}

/**
 * SQL of one row for each source and column with moments that were cut to the millisecond, with their count.
 * Plan counts them for the whole table, so that several units need not. Undefined if there are none.
 */
export function cutsSql({ tables }: Schema, table: string, runId: string): string | undefined {
  const rows = (tables[table]?.columns ?? [])
    .filter((column) => valueType(column) === 'timestamp')
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
  return rows.length === 0 ? undefined : rowsSql(tableForm('rejects').columns, rows);
}
