import { meantSql } from '../../schema/cells/cast-sql.ts';
import { jsonSql, textSql } from '../../schema/cells-sql.ts';
import { profileColumns } from '../../schema/columns/profile-sql.ts';
import { type ColumnProfile, mergeProfiles } from '../../schema/columns/value-classes.ts';
import { leafColumn, leavesSql } from '../../schema/leaves.ts';
import { type SchemaColumn, valueType } from '../../schema/schema.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import { answersSql, endedSql, slicesOf } from '../answers.ts';
import { keptKeys } from '../base.ts';
import { isOfValues } from '../outcomes/set-aside.ts';
import { localRaw, storedRaw } from '../raw-of-run.ts';
import type { LostCellsOptions } from './lost-cells.ts';

/** The profile of a column's values by source in the kept runs: from raw, or from cells without raw. */
export async function retainedProfiles(
  options: Omit<LostCellsOptions, 'change' | 'areAll'> & { readonly column: SchemaColumn },
): Promise<Readonly<Record<string, ColumnProfile>>> {
  const { db, lake, base, table, column } = options;
  // A provisional column is in no file, but its answers may have sentinels, such as the year 1.
  const inFiles = column.provisional ? undefined : column;
  const kept = await lake.localPaths(await keptKeys(lake, base, { table, column: inFiles }));
  if (kept.length === 0) return {};
  const files = readParquet(kept);
  const runs = await db.rows(
    `select distinct export_source as source, export_run_id as run from ${files} order by all`,
  );
  const profiled = async (source: string, values: string): Promise<void> => {
    const meant = meantSql(column.readings[source] ?? {}, 'value');
    const read = meant === undefined ? values : `select ${meant} as value from (${values})`;
    const { columns } = await profileColumns({ rows: db.rows, relation: `(${read})`, columns: ['value'] });
    const [earlier, profile] = [profiles[source], columns.get('value')];
    if (profile !== undefined)
      profiles[source] = earlier === undefined ? profile : mergeProfiles(earlier, profile);
  };
  const profiles: Record<string, ColumnProfile> = {};
  /** True where a run's answers of the source are kept and usable. */
  const fromRaw = async (source: string, runId: string): Promise<boolean> => {
    const paths = column.paths.filter((path) => path.source === source).map(({ path }) => path);
    const [stored] = await storedRaw(lake, { runId, source, resource: table });
    if (stored === undefined || paths.length === 0) return false;
    const raw = await localRaw(lake, stored);
    const counted = `(select * from (${endedSql(`(${answersSql(raw.paths)})`)}) as ended)`;
    const slices = await slicesOf(db, { source, resource: table, paths: raw.paths, counted });
    const leaves = paths.map((_, index) => leafColumn(index)).join(', ');
    await profiled(source, `select coalesce(${leaves}) as value from (${leavesSql(slices, paths)})`);
    await lake.copies?.drop(raw.keys);
    return true;
  };
  const left: { readonly source: string; readonly runId: string }[] = [];
  for (const row of runs) {
    const [source, runId] = [String(row.source), String(row.run)];
    // Answers fail here for one source. Its cells are then all that the rewriting has.
    const isRead = await fromRaw(source, runId).catch((error: unknown) => {
      if (!isOfValues(error)) throw error;
      return false;
    });
    // Nobody knows what a mask hides.
    if (!isRead && !column.provisional && !column.masked.includes(source)) left.push({ source, runId });
  }
  for (const [source, those] of Map.groupBy(left, (each) => each.source)) {
    await profiled(
      source,
      `select ${jsonSql(textSql(column), valueType(column))} as value
      from ${files}
      where export_source = ${quoteLiteral(source)}
        and export_run_id in (${those.map(({ runId }) => quoteLiteral(runId)).join(', ')})`,
    );
  }
  return profiles;
}
