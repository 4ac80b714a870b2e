import { tableKeys } from '../lake/table-files.ts';
import type { PublishedUnit } from '../run/published-unit.ts';
import type { RecastUnit } from '../run/unit.ts';
import { fileColumns } from '../schema/schema.ts';
import { hidesAnything, retypedColumns } from '../schema/schema-changes.ts';
import { tableForm } from '../schema/tables.ts';
import type { ResourceName } from '../sources/resources.ts';
import { emptyRelation, quoteLiteral, readParquet } from '../sql.ts';
import { hiddenSql } from './hidden-sql.ts';
import { type PutPart, putTable } from './put-table.ts';
import { recastSql } from './recast-sql.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * Writes a date of tables anew with the types of now, and the date's rejects, where values are read anew: what was
 * rejected may stand in its cell now, and the other way round.
 */
export async function publishRecast(
  { date, tables }: RecastUnit,
  context: UnitContext,
): Promise<PublishedUnit> {
  const parts: PutPart[] = [];
  const rejects: string[] = [];
  for (const table of tables) {
    const files = context.base.head?.tables[table]?.dates[date];
    if (files === undefined) continue;
    const recast = await recastSql(context, { table, files: { date, ...files } });
    if (recast.rejects !== undefined) rejects.push(recast.rejects);
    parts.push(
      await putTable({
        context,
        table,
        date,
        part: 0,
        columns: fileColumns(context.schema, table),
        rows: recast.rows,
        orderBy: ['export_source', 'record_key'],
      }),
    );
  }
  if (rejects.length > 0 || hidesAnything(context.base.schema, context.schema)) {
    parts.push(await putRejects(context, { date, tables, rejects }));
    const changes = await putChanges(context, date);
    if (changes !== undefined) parts.push(changes);
  }
  const stored = parts.map(({ path: _, isRepeated: __, ...part }) => part);
  return { parts: stored, rows: 0, added: 0, removed: 0, changed: 0, rejected: 0 };
}

/** The date's rejects: those of other columns as they were, those of the columns read anew as they are now. */
async function putRejects(
  context: UnitContext,
  {
    date,
    tables,
    rejects,
  }: { readonly date: string; readonly tables: readonly ResourceName[]; readonly rejects: readonly string[] },
): Promise<PutPart> {
  const { base, schema, services } = context;
  const files = base.head?.tables.rejects?.dates[date];
  const paths =
    files === undefined ? [] : await services.lake.localPaths(tableKeys('rejects', { date, ...files }));
  const reread = tables.flatMap((table) =>
    retypedColumns(base.schema, schema, table).map(
      ({ column }) => `(${quoteLiteral(table)}, ${quoteLiteral(column.name)})`,
    ),
  );
  const stored = hiddenSql(context, { rows: `select * from ${readParquet(paths)}`, values: ['raw_value'] });
  const others = reread.length === 0 ? 'true' : `(table_name, column_name) not in (${reread.join(', ')})`;
  const kept = `select * from (${stored}) where ${others} or reason = 'precision'`;
  const { columns } = tableForm('rejects');
  return putTable({
    context,
    table: 'rejects',
    date,
    part: 0,
    columns,
    rows: [emptyRelation(columns), ...(paths.length === 0 ? [] : [kept]), ...rejects].join(
      '\n union all by name ',
    ),
    orderBy: columns.map(({ name }) => name),
  });
}

/** The date's changes with what the config hides now. */
async function putChanges(context: UnitContext, date: string): Promise<PutPart | undefined> {
  const files = context.base.head?.tables.changes?.dates[date];
  if (files === undefined || !hidesAnything(context.base.schema, context.schema)) return undefined;
  const paths = await context.services.lake.localPaths(tableKeys('changes', { date, ...files }));
  const { columns } = tableForm('changes');
  return putTable({
    context,
    table: 'changes',
    date,
    part: 0,
    columns,
    rows: hiddenSql(context, {
      rows: `select * from ${readParquet(paths)}`,
      values: ['old_value', 'new_value'],
    }),
    orderBy: columns.map(({ name }) => name),
  });
}
