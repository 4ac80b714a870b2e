import { cellTextSql } from '../schema/cells/cell-text-sql.ts';
import { fileColumns } from '../schema/schema.ts';
import { rekeyedSql } from '../schema/schema-changes.ts';
import { HEARTBEATS, tableForm } from '../schema/tables.ts';
import { type ResourceName, resourceNamed } from '../sources/resources.ts';
import { isIn, quoteIdentifier, quoteLiteral, type RelationColumn } from '../sql.ts';
import type { UnitContext } from './unit-context.ts';

export interface Compared {
  readonly table: ResourceName;
  /** SQL of the committed rows. */
  readonly before: string;
  /** SQL of this run's rows, with the same columns. */
  readonly after: string;
}

/**
 * SQL of the differences between the rows of a table before and after a run. A record that was added or removed has one
 * row, and so has each of the API's columns that changed. `outcomes` says why a child's record was removed.
 */
export function changesSql(
  { table, before, after }: Compared,
  { base, schema, record }: Pick<UnitContext, 'base' | 'schema' | 'record'>,
): string {
  const resource = resourceNamed(table);
  const columns = fileColumns(schema, table).slice(tableForm(table).columns.length);
  const parent = resource.parent === null ? undefined : resource.parentColumn;
  const configured = record.config.sources.map(({ name }) => name);
  // A record with a new key is left out: it is the same record under another name.
  const rekeyed = rekeyedSql(base.schema, schema, table, {
    source: 'coalesce(new__rows.export_source, old__rows.export_source)',
    key: 'coalesce(new__rows.record_key, old__rows.record_key)',
  });
  const reason = `case
        when new_key is not null then null
        when not ${isIn('export_source', configured)} then 'source removed from the config'
        ${parent === undefined ? '' : `when outcomes.outcome = 'gone' then 'gone'\n        when outcomes.outcome is null then 'parent not listed'`}
        else 'not listed'
      end`;
  return `
    -- grain: record added or removed, column changed
    with old__rows as (${before}),
    new__rows as (${after}),
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
      ${rekeyed === undefined ? '' : `where not (${rekeyed})`}
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
      ${quoteLiteral(record.runId)} as export_run_id,
      ${quoteLiteral(record.scheduledAt)}::timestamptz::timestamp::timestamp_ms as changed_at,
      ${quoteLiteral(table)} as table_name,
      record_key,
      change,
      entry.column_name as column_name,
      entry.old_value as old_value,
      entry.new_value as new_value,
      ${reason} as reason,
      coalesce(${isIn('entry.column_name', HEARTBEATS)}, false) as is_heartbeat
    from entries
    ${
      parent === undefined
        ? ''
        : `left join outcomes
      on outcomes.source = entries.export_source
      and outcomes.resource = ${quoteLiteral(table)}
      and outcomes.parent_id = entries.old_parent`
    }`;
}

/** SQL of the list of columns with different cells. Most records do not change: the first branch spares the lists. */
function differences(columns: readonly RelationColumn[]): string {
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
