import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import type { Lake } from '../lake/lake.ts';
import { hashSql } from '../parent-hash.ts';
import { type Base, newestKeys } from '../run/base.ts';
import { readTurn, writeParents, writeTurn } from '../run/batch.ts';
import { SOURCE_SLOW } from '../run/outcomes/verdicts.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { sideBySide } from '../side-by-side.ts';
import { RESOURCES, type ResourceName } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import type { Planning } from './planning.ts';

/** Gone players that the run requests once more: their answer shows what a gone player looks like. */
const WITNESSES = 10;

/**
 * Notes the parents of each source that may have children with rows after the commit. Some were requested and are not
 * gone; others are in committed rows and were not requested. The next list also requests the children of those that its
 * listing lacks. It begins with the parents that this run had no time for. Reads the table `outcomes`.
 */
export async function noteParents({ db, lake, base, dialects }: Planning): Promise<void> {
  const rows = await db.rows(await parentsSql(lake, base));
  const bySource = Map.groupBy(rows, ({ source }) => String(source));
  const late = new Set((await db.rows(LATE)).map(({ source }) => String(source)));
  await sideBySide(dialects, OBJECTS_AT_ONCE, async ([source, { resources }]) => {
    const unlisted = new Set(Object.values(resources).flatMap((found) => found.unlisted ?? []));
    const own = (bySource.get(source) ?? []).map(({ parent_id, is_gone: isGone }) => ({
      id: String(parent_id),
      isGone,
    }));
    const there = own.filter(({ isGone }) => isGone !== true);
    const witnesses = own.filter(({ id, isGone }) => isGone === true && unlisted.has(id));
    const noted = [...there, ...witnesses.slice(0, WITNESSES)].map(({ id }) => id);
    await writeParents(lake, source, noted.sort());
    const from = await readTurn(lake, source);
    const next = late.has(source) ? await nextTurn(db, { source, from }) : undefined;
    if (next !== from) await writeTurn(lake, source, next);
  });
}

/** The sources that the run had not time enough for. */
const LATE = `select distinct source from outcomes where error_code = ${quoteLiteral(SOURCE_SLOW)}`;

/** The first parent, counted from where this run began, that it had no time for. */
async function nextTurn(
  db: DuckDb,
  { source, from = '' }: { readonly source: string; readonly from?: string | undefined },
): Promise<string | undefined> {
  const [row] = await db.rows(`
    -- grain: one row
    select coalesce(min(place) filter (place >= ${quoteLiteral(from)}), min(place)) as next
    from (
      select ${hashSql('parent_id')} as place
      from outcomes
      where source = ${quoteLiteral(source)} and error_code = ${quoteLiteral(SOURCE_SLOW)}
    )`);
  return typeof row?.next === 'string' ? row.next : undefined;
}

/**
 * SQL of the parents that this run requested, and of others in committed rows. A parent that a whole listing
 * lacks is not among the others: the run removes its rows.
 */
async function parentsSql(lake: Lake, base: Base): Promise<string> {
  const kept: string[] = [];
  for (const { name, parent, parentColumn } of RESOURCES) {
    const keys = newestKeys(base, name);
    if (parentColumn === null || keys.length === 0) continue;
    const files = readParquet(await lake.localPaths(keys));
    kept.push(`
      select export_source as source, ${parentColumn} as parent_id, false as is_gone
      from ${files}
      where ${parentColumn} is not null ${parent === null ? `and export_source not in (${listed(name)})` : ''}`);
  }
  const others = kept.map((each) => `union (from (${each}) anti join asked using (source, parent_id))`);
  return `
    -- grain: parent
    with asked as (
      select source, parent_id, bool_and(outcome = 'gone') as is_gone
      from outcomes
      where parent_id is not null
      group by all
    )
    from asked ${others.join(' ')}
    order by all`;
}

/** SQL of the sources with a listing that this run read completely. */
function listed(resource: ResourceName): string {
  return `
    select source
    from outcomes
    where resource = ${quoteLiteral(resource)} and parent_id is null
      and outcome in ('ok', 'empty') and error_code is null`;
}
