import { columnChanges, newlyDropped, newlyMasked, rekeyedSql } from '../schema/schema-changes.ts';
import { isIn, quoteLiteral } from '../sql.ts';
import type { UnitContext } from './unit-context.ts';

/** The columns with the API's values, in the tables that have only days. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  changes: ['old_value', 'new_value'],
  rejects: ['raw_value'],
};

/**
 * SQL of committed rows of a table that has only days, without what the config hides. It masks the values of newly
 * masked columns, and leaves out the rows of dropped ones. The key of a record without an id is a hash of its shown
 * values. From the hash, anybody can find a short value by trials. So the key is null if less is shown now.
 */
export function hiddenSql(
  { base, schema }: Pick<UnitContext, 'base' | 'schema'>,
  { table, rows }: { readonly table: string; readonly rows: string },
): string {
  const values = VALUES[table];
  if (values === undefined) return rows;
  const changes = Object.keys(schema.tables).flatMap((name) =>
    columnChanges(base.schema, schema, name).map((change) => ({
      place: `(table_name, column_name) = (${quoteLiteral(name)}, ${quoteLiteral(change.column.name)})`,
      masked: newlyMasked(change),
      dropped: newlyDropped(change),
    })),
  );
  const at = (place: string, sources: readonly string[]) => `${place} and ${isIn('export_source', sources)}`;
  const masked = changes.filter((each) => each.masked.length > 0).map((each) => at(each.place, each.masked));
  const dropped = changes
    .filter((each) => each.dropped.length > 0)
    .map((each) => at(each.place, each.dropped));
  const isMasked = masked.map((each) => `(${each})`).join(' or ');
  const rekeyed = Object.keys(schema.tables).flatMap((name) => {
    const isRekeyed = rekeyedSql(base.schema, schema, name);
    return isRekeyed === undefined ? [] : [`table_name = ${quoteLiteral(name)} and (${isRekeyed})`];
  });
  if (masked.length + dropped.length + rekeyed.length === 0) return rows;
  const key = `case when not (${rekeyed.map((each) => `(${each})`).join(' or ')}) then record_key end as record_key`;
  const replaced = values.map(
    (value) =>
      `case when ${isMasked} then mask_text(table_name || '.' || column_name, ${value}) else ${value} end as ${value}`,
  );
  const changed = [...(masked.length === 0 ? [] : replaced), ...(rekeyed.length === 0 ? [] : [key])];
  const change = changed.length === 0 ? '*' : `* replace (${changed.join(', ')})`;
  const where = dropped.length === 0 ? '' : `where not (${dropped.map((each) => `(${each})`).join(' or ')})`;
  return `select ${change} from (${rows}) ${where}`;
}
