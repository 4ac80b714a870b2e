import type { ColumnType } from '../../column-types.ts';
import { OBJECTS_AT_ONCE } from '../../lake/json-object.ts';
import type { Lake } from '../../lake/lake.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { lostSql } from '../../schema/cells-sql.ts';
import type { ColumnChange } from '../../schema/schema-changes.ts';
import { sideBySide } from '../../side-by-side.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { quoteLiteral } from '../../sql.ts';
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
  /** True: values whose raw is kept are counted, too. */
  readonly areAll: boolean;
}

/** The committed values of a column that its change would lose: a cell of now cannot hold them, and their raw is gone. */
export async function lostCells(options: LostCellsOptions): Promise<LostCells> {
  const { db, lake, base, table, change, areAll } = options;
  const paths = await lake.localPaths(await keptKeys(lake, base, { table, column: change.before }));
  const isLost = lostSql(change);
  if (paths.length === 0 || isLost === undefined) return { values: 0, dates: [] };
  const files = `read_parquet([${paths.map(quoteLiteral).join(', ')}], filename = 'file__name', hive_partitioning = false)`;
  const rows = await db.rows(`
    -- grain: source, run and file
    select export_source as source, export_run_id as run, file__name, count(*)::double as lost
    from ${files}
    where ${isLost}
    group by all`);
  const runs = [...new Map(rows.map((row) => [`${row.source} ${row.run}`, row])).entries()];
  const gone = new Set<string>();
  await sideBySide(runs, OBJECTS_AT_ONCE, async ([name, { source, run }]) => {
    const of = { runId: String(run), source: String(source), resource: table };
    if (areAll || (await storedRaw(lake, of)).length === 0) gone.add(name);
  });
  const lost = rows.filter(({ source, run }) => gone.has(`${source} ${run}`));
  const dates = lost.map(({ file__name }) => /export_date=([\d-]+)/.exec(String(file__name))?.[1] ?? '');
  return {
    values: lost.reduce((sum, row) => sum + Number(row.lost), 0),
    dates: [...new Set(dates)].sort(),
  };
}

/** Why a type, or a key of masks, is not taken, and by which command it is all the same; without its full stop. */
export function lossText(
  place: string,
  {
    to,
    lost,
    command = `schema apply ${place} '${to}'`,
  }: { readonly to: ColumnType; readonly lost: LostCells; readonly command?: string | undefined },
): string {
  const [first, last] = [lost.dates[0], lost.dates.at(-1)];
  return `${place} as ${to} would lose ${lost.values} values of ${lost.dates.length} dates from ${first} to ${last}, whose raw answers are gone: it stays as it is. \`${command} --accept-loss\` moves them to rejects`;
}
