import type { Services } from '../../runtime/services.ts';
import { openStageDb } from '../../runtime/stage-duckdb.ts';
import { meantSql } from '../../schema/cells/cast-sql.ts';
import { jsonSql, textSql } from '../../schema/cells-sql.ts';
import { profileColumns } from '../../schema/columns/profile-sql.ts';
import { type ColumnProfile, mergeProfiles } from '../../schema/columns/value-classes.ts';
import { leafColumn, leavesSql } from '../../schema/leaves.ts';
import { type SchemaColumn, valueType } from '../../schema/schema.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import { answersSql, endedSql, slicesOf } from '../answers.ts';
import { type Base, keptKeys } from '../base.ts';
import { isOfValues } from '../outcomes/set-aside.ts';
import { localRaw, storedRaw } from '../raw-of-run.ts';

export interface RetainedOptions {
  readonly base: Base;
  readonly services: Services;
  readonly table: ResourceName;
  readonly column: SchemaColumn;
}

/** What each source's values of a column were in the runs whose rows are kept: from raw, and from cells where it is gone. */
export async function retainedProfiles({
  base,
  services,
  table,
  column,
}: RetainedOptions): Promise<Readonly<Record<string, ColumnProfile>>> {
  const { lake } = services;
  // A provisional column is in no file, but its answers may have had what stands for no value, such as the year 1.
  const inFiles = column.provisional ? undefined : column;
  const kept = await lake.localPaths(await keptKeys(lake, base, { table, column: inFiles }));
  if (kept.length === 0) return {};
  const files = readParquet(kept);
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const runs = await db.rows(
    `select distinct export_source as source, export_run_id as run from ${files} order by all`,
  );
  const profiles: Record<string, ColumnProfile> = {};
  const words = (source: string, values: string) => {
    const meant = column.readings[source]?.values;
    return meant === undefined ? values : `select ${meantSql(meant, 'value')} as value from (${values})`;
  };
  const profiled = async (source: string, values: string): Promise<ColumnProfile | undefined> => {
    const relation = `(${words(source, values)})`;
    const found = await profileColumns({ rows: db.rows, relation, columns: ['value'] });
    return found.columns.get('value');
  };
  for (const row of runs) {
    const [source, runId] = [String(row.source), String(row.run)];
    const paths = column.paths.filter((path) => path.source === source).map(({ path }) => path);
    const fromRaw = async (): Promise<ColumnProfile | undefined> => {
      const [stored] = await storedRaw(lake, { runId, source, resource: table });
      if (stored === undefined || paths.length === 0) return undefined;
      const raw = await localRaw(lake, stored);
      const counted = `(select * from (${endedSql(`(${answersSql(raw.paths)})`)}) as ended)`;
      const slices = await slicesOf(db, { source, resource: table, paths: raw.paths, counted });
      const leaves = paths.map((_, index) => leafColumn(index)).join(', ');
      const values = `select coalesce(${leaves}) as value from (${leavesSql(slices, paths)})`;
      const profile = await profiled(source, values);
      await lake.copies?.drop(raw.keys);
      return profile;
    };
    const fromCells = async (): Promise<ColumnProfile | undefined> => {
      // Nobody knows what a mask hides.
      if (column.provisional || column.masked.includes(source)) return undefined;
      const own = jsonSql(textSql(column), valueType(column));
      return await profiled(
        source,
        `select ${own} as value from ${files} where export_source = ${quoteLiteral(source)} and export_run_id = ${quoteLiteral(runId)}`,
      );
    };
    // Answers that cannot be worked on are those of one source, and its cells are all that the rewriting has of it.
    const profile =
      (await fromRaw().catch((error: unknown) => {
        if (!isOfValues(error)) throw error;
        return undefined;
      })) ?? (await fromCells());
    const earlier = profiles[source];
    if (profile !== undefined)
      profiles[source] = earlier === undefined ? profile : mergeProfiles(earlier, profile);
  }
  return profiles;
}
