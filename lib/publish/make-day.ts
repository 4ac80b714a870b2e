import { tableKeys } from '../lake/table-files.ts';
import { tableForm } from '../schema/tables.ts';
import type { ResourceName } from '../sources/resources.ts';
import { emptyRelation, quoteLiteral, readParquet } from '../sql.ts';
import { hiddenSql } from './hidden-sql.ts';
import { type MadePart, makeTable } from './make-table.ts';
import type { ShownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/** The rows of a table and date that were made again. */
export interface Rewritten extends Pick<ShownRows, 'rejects'> {
  readonly table: ResourceName;
}

export interface MakeDay {
  /** A table that has only days. */
  readonly table: string;
  readonly date: string;
  /** The rows of that date which are read in another way now: their rejects are those of now. */
  readonly rewritten: readonly Rewritten[];
  /** A run whose rows are left out. */
  readonly without?: string;
}

/** Makes a date's committed rows again, without what the config hides, as part 0 of the date; none where there are no rows. */
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
  // A date that is written again keeps its file, for nothing else would replace that of before.
  return part.rows === 0 && without !== undefined ? [] : [part];
}

/**
 * SQL of a date's rejects as its rows are now read. An answer that was read again from raw has its new rejects. An answer
 * whose raw is gone has its old ones, and those of values that lose their cells now. A run whose rows the date does not
 * show has its old ones.
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
  // The rejects of a row that was carried over from another date stand at that date.
  return `${kept}
    union all by name
    select * from (${now.join('\n union all by name ')})
    where export_run_id in (select export_run_id from (${runs}))`;
}

/** SQL of the rows of a table that a date has; undefined where it has none. */
async function storedRows(
  { base, services }: UnitContext,
  { table, date }: Pick<MakeDay, 'table' | 'date'>,
): Promise<string | undefined> {
  const files = base.head?.tables[table]?.dates[date];
  if (files === undefined || files.parts.length === 0) return undefined;
  return `select * from ${readParquet(await services.lake.localPaths(tableKeys(table, { date, ...files })))}`;
}
