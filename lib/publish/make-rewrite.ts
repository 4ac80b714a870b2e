import { missingFiles } from '../lake/named-files.ts';
import { refuseDamaged } from '../lake/sums/refuse-damaged.ts';
import type { HistoryAside } from '../run/published-unit.ts';
import type { RewriteUnit } from '../run/unit.ts';
import { isRemovedSql } from '../schema/removed.ts';
import { columnsInFiles, fileColumns } from '../schema/schema.ts';
import { newlyHidden } from '../schema/schema-changes.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';
import { makeDay, type Rewritten } from './make-day.ts';
import { type MadePart, type MadeUnit, makeTable } from './make-table.ts';
import { shownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * Makes a date of tables again: rows and rejects as the present schema reads them, and changes without what the config
 * hides. Or makes it without what is purged. Where a source's answers cannot be processed, its rows come from their cells. A
 * lost file cannot be written again: the head still names it, and queries and `status` say so.
 */
export async function makeRewrite(
  { date, tables, runId, ...of }: RewriteUnit,
  context: UnitContext,
): Promise<MadeUnit> {
  const { base, schema, services } = context;
  const parts: MadePart[] = [];
  const rewritten: Rewritten[] = [];
  const history: HistoryAside[] = [];
  for (const table of tables) {
    const files = base.head?.tables[table]?.dates[date];
    if (files === undefined) continue;
    if ((await missingFiles(services.lake, [{ table, date, ...files }])).length > 0) continue;
    await refuseDamaged(services.lake, [{ table, date, ...files }]);
    const shown = await shownRows(context, { table, files: { date, ...files } });
    history.push(...shown.history);
    const resource = RESOURCE_NAMES.find((name) => name === table);
    const there = runId === undefined ? undefined : columnsInFiles(schema, table, files.run);
    const part = await makeTable({
      context,
      table,
      date,
      part: 0,
      columns: fileColumns(schema, table).filter(({ name }) => there?.has(name) !== false),
      rows: ofSources(shown.rows, { table, ...of }),
      ...(resource && { orderBy: ['export_source', 'record_key'] }),
    });
    parts.push({ ...part, ...(runId !== undefined && { runId }) });
    if (resource !== undefined && shown.isRemade) rewritten.push({ table: resource, ...shown });
  }
  if (rewritten.length > 0) parts.push(...(await makeDay(context, { table: 'rejects', date, rewritten })));
  if (newlyHidden(base.schema, schema).length > 0)
    parts.push(...(await makeDay(context, { table: 'changes', date, rewritten: [] })));
  return { parts, history, rows: 0, added: 0, removed: 0, changed: 0, rejected: 0 };
}

/** SQL of the rows without what is purged, or with a source that has another name. */
function ofSources(
  rows: string,
  { table, without, renamed }: Pick<RewriteUnit, 'without' | 'renamed'> & { readonly table: string },
): string {
  if (without !== undefined) return `select * from (${rows}) where not ${isRemovedSql(table, without)}`;
  if (renamed === undefined) return rows;
  const name = `case export_source when ${quoteLiteral(renamed.was)} then ${quoteLiteral(renamed.name)} else export_source end`;
  return `select * replace (${name} as export_source) from (${rows})`;
}
