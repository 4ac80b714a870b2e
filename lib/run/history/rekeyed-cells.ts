import { fileColumns, type Schema } from '../../schema/schema.ts';
import { rekeyedSql } from '../../schema/schema-changes.ts';
import { quoteIdentifier, quoteLiteral } from '../../sql.ts';

/** Columns about where a row comes from, not about the record. */
const NOT_OF_RECORD = new Set(['export_source', 'export_run_id', 'exported_at', 'record_key']);

export interface RekeyedCells {
  readonly base: Schema;
  readonly schema: Schema;
  readonly table: string;
}

/**
 * SQL of rows from their cells, for records without an id, which have a hash of their cells as key. The old
 * key is a hash of cells that are hidden now, so it is replaced. Records that look equal are numbered.
 */
export function rekeyedCellsSql({ base, schema, table }: RekeyedCells, rows: string): string {
  const isRekeyed = rekeyedSql(base, schema, table);
  if (isRekeyed === undefined) return rows;
  const cells = fileColumns(schema, table)
    .filter(({ name }) => !NOT_OF_RECORD.has(name))
    .map(({ name }) => `${quoteLiteral(`${name}:`)} || ${quoteIdentifier(name)}::varchar`);
  const shown = `md5(concat_ws(chr(31), ''${cells.map((cell) => `, ${cell}`).join('')}))`;
  return `
    -- grain: row, with the key of what is shown of it
    select
      * exclude (rekeyed__key, rekeyed__number)
        replace (
          case
            when rekeyed__key is null then record_key
            when rekeyed__number = 1 then rekeyed__key
            else rekeyed__key || '#' || rekeyed__number
          end as record_key
        )
    from (
      select
        *,
        row_number() over (partition by export_source, rekeyed__key order by exported_at) as rekeyed__number
      from (
        select
          *,
          case
            when ${isRekeyed} then regexp_replace(record_key, '[0-9a-f]{32}(#[0-9]+)?$', '') || ${shown}
          end as rekeyed__key
        from (${rows})
      )
    )`;
}

/** SQL of values that lose their cells, without such a key. */
export function withoutFormerKeys({ base, schema, table }: RekeyedCells, rejects: string): string {
  const isRekeyed = rekeyedSql(base, schema, table);
  if (isRekeyed === undefined) return rejects;
  return `select * replace (case when not (${isRekeyed}) then record_key end as record_key) from (${rejects})`;
}
