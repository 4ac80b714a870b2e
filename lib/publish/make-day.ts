import { tableKeys } from '../lake/named-files.ts';
import { tableForm } from '../schema/tables.ts';
import type { ResourceName } from '../sources/resources.ts';
import { emptyRelation, quoteLiteral, readParquet } from '../sql.ts';
import { hiddenSql } from './hidden-sql.ts';
import { type MadePart, makeTable } from './make-table.ts';
import type { ShownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/** The rows of a table and date that are made again. */
export interface Rewritten extends Pick<ShownRows, 'rejects'> {
  readonly table: ResourceName;
}

export interface MakeDay {
  /** A table that has only days. */
  readonly table: string;
  readonly date: string;
  /** The date's rows that are read in another way now: their rejects are the present ones. */
  readonly rewritten: readonly Rewritten[];
  /** A run to leave out. */
  readonly without?: string;
}

/** Makes a date's committed rows again as part 0, without what the config hides; none without rows. */
export async function makeDay(
  context: UnitContext,
  { table, date, rewritten, without }: MakeDay,
): Promise<readonly MadePart[]> {
  const stored = await storedRows(context, { table, date });
  if (stored === undefined && rewritten.length === 0) return [];
  const shown = hiddenSql(context, { table, rows: stored ?? emptyRelation(tableForm(table).columns) });
  const now = rewritten.length === 0 ? shown : await rejectsNow(context, { date, rewritten, stored: shown });
  const rows =
    without === undefined ? now : `select * from (${now}) where export_run_id <> ${quoteLiteral(without)}`;
  const part = await makeTable({ context, table, date, part: 0, rows });
  // A date that is written again keeps its file: nothing else replaces the old one.
  return part.rows === 0 && without !== undefined ? [] : [part];
}

/**
 * SQL of a date's rejects for its rows as they are read now. An answer that is read again from raw has its
 * new rejects. An answer without raw has its old ones, and those of values that lose their cells now. A run
 * without rows in the date has its old ones.
 */
async function rejectsNow(
  context: UnitContext,
  { date, rewritten, stored }: Pick<MakeDay, 'date' | 'rewritten'> & { readonly stored: string },
): Promise<string> {
  const again = rewritten.map(
    ({ table }) => `
      anti join remade__${table} as ${table}__again
        on reject__rows.table_name = ${quoteLiteral(table)}
        and ${table}__again.source = reject__rows.export_source
        and ${table}__again.run_id = reject__rows.export_run_id`,
  );
  const kept = `select reject__rows.* from (${stored}) as reject__rows ${again.join('')}`;
  const now = rewritten.flatMap(({ rejects }) => rejects);
  const runs = await storedRows(context, { table: 'runs', date });
  if (now.length === 0 || runs === undefined) return kept;
  // The rejects of a row that is carried over from another date are at that date.
  return `${kept}
    union all by name
    select * from (${now.join('\n union all by name ')})
    where export_run_id in (select export_run_id from (${runs}))`;
}

/** SQL of the table's rows at a date; undefined without any. */
async function storedRows(
  { base, services }: UnitContext,
  { table, date }: Pick<MakeDay, 'table' | 'date'>,
): Promise<string | undefined> {
  const files = base.head?.tables[table]?.dates[date];
  if (files === undefined || files.parts.length === 0) return undefined;
  return `select * from ${readParquet(await services.lake.localPaths(tableKeys(table, { date, ...files })))}`;
}
