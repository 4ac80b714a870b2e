import { tableKeys } from '../lake/table-files.ts';
import { tableForm } from '../schema/tables.ts';
import type { ResourceName } from '../sources/resources.ts';
import { emptyRelation, quoteLiteral, readParquet } from '../sql.ts';
import { hiddenSql } from './hidden-sql.ts';
import type { ShownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/** The rows of a table and date that were made again. */
export interface Rewritten extends Pick<ShownRows, 'rejects' | 'lost'> {
  readonly table: ResourceName;
}

/**
 * SQL of a date's rejects as its rows are now read. Answers that were read again from raw: their new rejects. Answers
 * whose raw is gone: their old rejects, and the values that lose their cells now. Runs whose rows the date does not show:
 * their old rejects.
 */
export async function rewrittenRejects(
  { base, schema, services }: UnitContext,
  { date, rewritten }: { readonly date: string; readonly rewritten: readonly Rewritten[] },
): Promise<string> {
  const pathsOf = async (table: string) => {
    const files = base.head?.tables[table]?.dates[date];
    return files === undefined ? [] : await services.lake.localPaths(tableKeys(table, { date, ...files }));
  };
  const [rejects, runs] = [await pathsOf('rejects'), await pathsOf('runs')];
  const stored =
    rejects.length === 0
      ? emptyRelation(tableForm('rejects').columns)
      : `select * from ${readParquet(rejects)}`;
  const again = rewritten.map(
    ({ table }) => `
      anti join remade__${table} as ${table}__again
        on reject__rows.table_name = ${quoteLiteral(table)}
        and reject__rows.reason in ('type', 'sentinel', 'precision')
        and ${table}__again.source = reject__rows.export_source
        and ${table}__again.run_id = reject__rows.export_run_id`,
  );
  const kept = `select reject__rows.* from (${hiddenSql({ base, schema }, { rows: stored, values: ['raw_value'] })}) as reject__rows ${again.join('')}`;
  const now = rewritten.flatMap(({ rejects: made, lost }) => [
    ...made,
    ...(lost === undefined ? [] : [lost]),
  ]);
  if (now.length === 0 || runs.length === 0) return kept;
  // The rejects of a row that was carried over from another date stand at that date.
  return `${kept}
    union all by name
    select * from (${now.join('\n union all by name ')})
    where export_run_id in (select export_run_id from ${readParquet(runs)})`;
}
