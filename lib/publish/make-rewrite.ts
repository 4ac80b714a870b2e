import { missingFiles } from '../lake/missing-files.ts';
import { tableKeys } from '../lake/table-files.ts';
import type { RewriteUnit } from '../run/unit.ts';
import { columnsInFiles, fileColumns } from '../schema/schema.ts';
import { hidesAnything } from '../schema/schema-changes.ts';
import { tableForm } from '../schema/tables.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { hiddenSql } from './hidden-sql.ts';
import type { MadeUnit } from './made-unit.ts';
import { type MadePart, makeTable } from './make-table.ts';
import { type Rewritten, rewrittenRejects } from './rewritten-rejects.ts';
import { shownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * Makes a date of tables again, with rows and rejects as the present schema reads them, and changes without what the
 * config hides; or without a source. A lost file cannot be written again: the head still names it, and queries and `status` say so.
 */
export async function makeRewrite(
  { date, tables, without, runId }: RewriteUnit,
  context: UnitContext,
): Promise<MadeUnit> {
  const { base, schema, services } = context;
  const parts: MadePart[] = [];
  const rewritten: Rewritten[] = [];
  for (const table of tables) {
    const files = base.head?.tables[table]?.dates[date];
    if (files === undefined) continue;
    if ((await missingFiles(services.lake, [{ table, date, ...files }])).length > 0) continue;
    const shown = await shownRows(context, { table, files: { date, ...files } });
    const resource = RESOURCE_NAMES.find((name) => name === table);
    const there = runId === undefined ? undefined : columnsInFiles(schema, table, files.run);
    const part = await makeTable({
      context,
      table,
      date,
      part: 0,
      columns: fileColumns(schema, table).filter(({ name }) => there?.has(name) !== false),
      rows:
        without === undefined
          ? shown.rows
          : `select * from (${shown.rows}) where export_source <> ${quoteLiteral(without)}`,
      orderBy: resource ? ['export_source', 'record_key'] : tableForm(table).columns.map(({ name }) => name),
    });
    parts.push({ ...part, ...(runId !== undefined && { runId }) });
    if (resource !== undefined && shown.isRemade) rewritten.push({ table: resource, ...shown });
  }
  if (rewritten.length > 0) {
    const { columns } = tableForm('rejects');
    const rows = await rewrittenRejects(context, { date, rewritten });
    const orderBy = columns.map(({ name }) => name);
    parts.push(await makeTable({ context, table: 'rejects', date, part: 0, columns, rows, orderBy }));
  }
  const changes = await makeChanges(context, date);
  return { parts: [...parts, ...changes], rows: 0, added: 0, removed: 0, changed: 0, rejected: 0 };
}

/** Makes the date's changes without what the config hides; all else in them stays. */
async function makeChanges(context: UnitContext, date: string): Promise<readonly MadePart[]> {
  const { base, schema, services } = context;
  const files = base.head?.tables.changes?.dates[date];
  if (files === undefined || !hidesAnything(base.schema, schema)) return [];
  const paths = await services.lake.localPaths(tableKeys('changes', { date, ...files }));
  const { columns } = tableForm('changes');
  const rows = hiddenSql(context, {
    rows: `select * from ${readParquet(paths)}`,
    values: ['old_value', 'new_value'],
  });
  const orderBy = columns.map(({ name }) => name);
  return [await makeTable({ context, table: 'changes', date, part: 0, columns, rows, orderBy })];
}
