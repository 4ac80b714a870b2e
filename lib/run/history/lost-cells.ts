import type { ColumnType } from '../../column-types.ts';
import { OBJECTS_AT_ONCE } from '../../lake/json-object.ts';
import type { Lake } from '../../lake/lake.ts';
import type { DuckDb, Row } from '../../runtime/duckdb.ts';
import { lostSql } from '../../schema/cells-sql.ts';
import type { ColumnChange } from '../../schema/schema-changes.ts';
import { sideBySide } from '../../side-by-side.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import { type Base, keptKeys } from '../base.ts';
import { storedRaw } from '../raw-of-run.ts';

export interface LostCells {
  readonly values: number;
  readonly dates: readonly string[];
}

export interface LostCellsOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly base: Base;
  readonly table: ResourceName;
  readonly change: ColumnChange;
  /** True: also counts values with raw that is still kept. */
  readonly areAll: boolean;
}

/** The committed values that a change of their column loses: no new cell holds them, and raw is gone. */
export async function lostCells(options: LostCellsOptions): Promise<LostCells> {
  const { db, lake, base, table, change, areAll } = options;
  const paths = await lake.localPaths(await keptKeys(lake, base, { table, column: change.before }));
  const isLost = lostSql(change);
  if (paths.length === 0 || isLost === undefined) return { values: 0, dates: [] };
  const rows = await db.rows(`
    -- grain: source and run
    select export_source as source, export_run_id as run, count(*)::double as lost
    from ${readParquet(paths)}
    where ${isLost}
    group by export_source, export_run_id`);
  const lost: Row[] = [];
  await sideBySide(rows, OBJECTS_AT_ONCE, async (row) => {
    const of = { runId: String(row.run), source: String(row.source), resource: table };
    if (areAll || (await storedRaw(lake, of)).length === 0) lost.push(row);
  });
  if (lost.length === 0) return { values: 0, dates: [] };
  const places = lost.map(
    ({ source, run }) => `(${quoteLiteral(String(source))}, ${quoteLiteral(String(run))})`,
  );
  const dates = new Set<string>();
  // One by one: DuckDB fails to name the files if the API has a field `filename`.
  for (const path of paths) {
    const [any] = await db.rows(`
      select 1 from ${readParquet([path])}
      where ${isLost} and (export_source, export_run_id) in (${places.join(', ')})
      limit 1`);
    if (any !== undefined) dates.add(/export_date=([\d-]+)/.exec(path)?.[1] ?? '');
  }
  return { values: lost.reduce((sum, row) => sum + Number(row.lost), 0), dates: [...dates].sort() };
}

/** Why a type, or a mask key, is refused, and which command accepts it anyway; without a full stop. */
export function lossText(
  place: string,
  options: { readonly to: ColumnType; readonly lost: LostCells; readonly command?: string | undefined },
): string {
  const { to, lost, command = `schema apply ${place} '${to}'` } = options;
  const [first, last] = [lost.dates[0], lost.dates.at(-1)];
  return `${place} as ${to} would lose ${lost.values} values of ${lost.dates.length} dates from ${first} to ${last}: their raw answers are gone. The column stays as it is. \`${command} --accept-loss\` moves these values to rejects`;
}
