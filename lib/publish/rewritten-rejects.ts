import { duckdbType } from '../column-types.ts';
import { tableKeys } from '../lake/table-files.ts';
import { tableForm } from '../schema/tables.ts';
import type { ResourceName } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { hiddenSql } from './hidden-sql.ts';
import type { ShownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/** The rows of a table and date that were made again. */
export interface Rewritten extends Pick<ShownRows, 'rejects' | 'lost'> {
  readonly table: ResourceName;
}

/**
 * SQL of a date's rejects as its rows are read now: of answers that were made again what they reject now, of those whose
 * raw is gone what they rejected and what loses its cell, of runs whose rows the date no longer shows what they said.
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
  const stored = rejects.length === 0 ? noRejects() : `select * from ${readParquet(rejects)}`;
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
  // A row that is carried over from another date has its rejects there.
  return `${kept}
    union all by name
    select * from (${now.join('\n union all by name ')})
    where export_run_id in (select export_run_id from ${readParquet(runs)})`;
}

function noRejects(): string {
  const cells = tableForm('rejects').columns.map(({ name, type }) => `null::${duckdbType(type)} as ${name}`);
  return `select ${cells.join(', ')} where false`;
}
