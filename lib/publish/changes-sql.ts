import type { ColumnType } from '../column-types.ts';
import { cellTextSql } from '../schema/cells/cell-text-sql.ts';
import type { Resource } from '../sources/resources.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';

export interface ChangesOptions {
  /** SQL of the committed rows. */
  readonly before: string;
  /** SQL of those of this run. */
  readonly after: string;
  readonly runId: string;
  /** The run's scheduled time, ISO. */
  readonly scheduledAt: string;
  readonly resource: Resource;
  /** The API's columns of the table; export columns are not compared. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** The names of the config's sources. */
  readonly sources: readonly string[];
  /** SQL condition over new__rows and old__rows: the record has another key than before, so nothing is told of it. */
  readonly rekeyed: string | undefined;
}

/**
 * SQL of the differences between the rows `before` and `after`, which have the same columns: one row for each record that was
 * added or removed, one for each column that changed. `outcomes` says why a child's record was removed.
 */
export function changesSql(options: ChangesOptions): string {
  const { resource, columns } = options;
  const parent = resource.parent === null ? undefined : resource.parentColumn;
  const configured = options.sources.map(quoteLiteral).join(', ') || "''";
  const reason = `case
        when new_key is not null then null
        when export_source not in (${configured}) then 'source removed from the config'
        ${parent === undefined ? '' : `when outcomes.outcome = 'gone' then 'gone'\n        when outcomes.outcome is null then 'parent not listed'`}
        else 'not listed'
      end`;
  return `
    -- grain: record added or removed, column changed
    with old__rows as (${options.before}),
    new__rows as (${options.after}),
    pairs as (
      select
        coalesce(new__rows.export_source, old__rows.export_source) as export_source,
        coalesce(new__rows.record_key, old__rows.record_key) as record_key,
        new__rows.record_key as new_key,
        old__rows.record_key as old_key,
        ${parent === undefined ? 'null' : `old__rows.${parent}`} as old_parent,
        ${differences(columns)} as differences
      from new__rows
      full join old__rows
        on old__rows.export_source = new__rows.export_source and old__rows.record_key = new__rows.record_key
      ${options.rekeyed === undefined ? '' : `where not (${options.rekeyed})`}
    ),
    found as (
      select
        *,
        case when old_key is null then 'added' when new_key is null then 'removed' else 'changed' end as change,
        case
          when old_key is null or new_key is null
            then [{ column_name: null::varchar, old_value: null::varchar, new_value: null::varchar }]
          else differences
        end as entries
      from pairs
      where old_key is null or new_key is null or len(differences) > 0
    ),
    entries as (
      select export_source, record_key, new_key, old_parent, change, unnest(entries) as entry from found
    )
    select
      entries.export_source,
      ${quoteLiteral(options.runId)} as export_run_id,
      ${quoteLiteral(options.scheduledAt)}::timestamptz::timestamp::timestamp_ms as changed_at,
      ${quoteLiteral(resource.name)} as table_name,
      record_key,
      change,
      entry.column_name as column_name,
      entry.old_value as old_value,
      entry.new_value as new_value,
      ${reason} as reason
    from entries
    ${
      parent === undefined
        ? ''
        : `left join outcomes
      on outcomes.source = entries.export_source
      and outcomes.resource = ${quoteLiteral(resource.name)}
      and outcomes.parent_id = entries.old_parent`
    }`;
}

/**
 * SQL of the list of columns whose cells differ. Most records did not change: the first branch spares DuckDB their lists.
 */
function differences(columns: ChangesOptions['columns']): string {
  if (columns.length === 0) return '[]';
  const row = (side: string) =>
    `(${columns.map(({ name }) => `${side}.${quoteIdentifier(name)}`).join(', ')})`;
  const entries = columns.map(({ name, type }) => {
    const column = quoteIdentifier(name);
    const [before, after] = [`old__rows.${column}`, `new__rows.${column}`];
    return `case when ${before} is distinct from ${after} then {
          column_name: ${quoteLiteral(name)},
          old_value: ${cellTextSql(before, type)},
          new_value: ${cellTextSql(after, type)}
        } end`;
  });
  return `case
          when ${row('old__rows')} is not distinct from ${row('new__rows')} then []
          else list_filter([${entries.join(', ')}], lambda entry__: entry__ is not null)
        end`;
}
