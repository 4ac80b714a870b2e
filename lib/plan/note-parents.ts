import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import type { Lake } from '../lake/lake.ts';
import { type Base, newestKeys } from '../run/base.ts';
import { writeParents } from '../run/batch.ts';
import type { Dialects } from '../run/dialects.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { sideBySide } from '../side-by-side.ts';
import { RESOURCES, type ResourceName } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';

/** Gone players that are asked for once more: what they answer is what gone looks like. */
const WITNESSES = 10;

export interface NoteParentsOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly base: Base;
  /** Of the sources of this run. */
  readonly dialects: ReadonlyMap<string, Dialects>;
}

/**
 * Notes the parents of each source of the run whose children may have rows once it is committed: those that it asked
 * for and that are not gone, and those in committed rows that it did not ask for. The next list asks for the children of
 * those that its listing lacks. Reads the table `outcomes`.
 */
export async function noteParents({ db, lake, base, dialects }: NoteParentsOptions): Promise<void> {
  const asked = await db.rows(`
    -- grain: parent
    select source, parent_id, bool_and(outcome = 'gone') as is_gone
    from outcomes
    where parent_id is not null
    group by all
    order by all`);
  const there = asked.filter(({ is_gone }) => is_gone === false);
  const gone = asked.filter(({ is_gone }) => is_gone === true);
  const kept = await keptParents(db, lake, base);
  const of = (rows: typeof kept, source: string) =>
    rows.filter((row) => row['source'] === source).map(({ parent_id }) => String(parent_id));
  await sideBySide(dialects, OBJECTS_AT_ONCE, async ([source, { resources }]) => {
    const unlisted = new Set(Object.values(resources).flatMap((found) => found.unlisted ?? []));
    const witnesses = of(gone, source).filter((id) => unlisted.has(id));
    const noted = [...of(there, source), ...witnesses.slice(0, WITNESSES), ...of(kept, source)];
    await writeParents(lake, source, [...new Set(noted)].sort());
  });
}

/** The parents in committed rows that this run did not ask for, and does not remove: those of a whole listing that lacks them. */
async function keptParents(db: DuckDb, lake: Lake, base: Base) {
  const tables: string[] = [];
  for (const { name, parent, parentColumn } of RESOURCES) {
    const keys = newestKeys(base, name);
    if (parentColumn === null || keys.length === 0) continue;
    const files = readParquet(await lake.localPaths(keys));
    const rows = `select distinct export_source as source, ${parentColumn} as parent_id from ${files}`;
    tables.push(parent === null ? `${rows} where export_source not in (${listed(name)})` : rows);
  }
  if (tables.length === 0) return [];
  return await db.rows(`
    -- grain: parent
    select distinct source, parent_id
    from (${tables.join(' union all ')}) as kept
    anti join outcomes using (source, parent_id)
    where parent_id is not null
    order by all`);
}

/** SQL of the sources whose listing this run has read, without a doubt that some of it may be missing. */
function listed(resource: ResourceName): string {
  return `
    select source
    from outcomes
    where resource = ${quoteLiteral(resource)} and parent_id is null
      and outcome in ('ok', 'empty') and error_code is null`;
}
