import type { Head } from '../../lake/head.ts';
import type { RunRecord } from '../../run/run-record.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Note } from '../../sources/note.ts';
import { RESOURCES } from '../../sources/resources.ts';
import { counted } from '../../text.ts';

/** Notes sources that are new to the lake: they raise all totals on that day. The first run notes none. */
export async function addedSources(
  db: DuckDb,
  { head, record }: { readonly head: Head | undefined; readonly record: RunRecord },
): Promise<readonly Note[]> {
  const added = record.config.sources.filter(
    ({ name }) => head?.sources.includes(name) === false && record.selected.includes(name),
  );
  if (added.length === 0) return [];
  const rows = await db.rows(`
    -- grain: source, resource
    select source, resource, sum(records) as records from outcomes group by all`);
  return added.flatMap(({ name, kind }) => {
    const resources = RESOURCES.filter((each) => each.kind === kind).map((each) => {
      const row = rows.find(({ source, resource }) => source === name && resource === each.name);
      return { resource: each.name, records: Number(row?.['records'] ?? 0) };
    });
    const [most] = resources.toSorted((a, b) => b.records - a.records);
    if (most === undefined) return [];
    const says = `The source is new in this lake: its ${counted(most.records, 'record')} of ${most.resource}, and all others, are counted from ${record.exportDate} on`;
    return [{ code: 'SOURCE_ADDED', source: name, resource: most.resource, says }];
  });
}

/** Notes that the config's zone is another, because a day then begins at another moment. */
export function movedZone(
  before: Schema | undefined,
  { config, selected, exportDate }: RunRecord,
): readonly Note[] {
  const { timeZone = config.timeZone } = before ?? {};
  if (timeZone === config.timeZone) return [];
  const says = `Days begin and end by the clocks of ${config.timeZone} from ${exportDate} on; before, by those of ${timeZone}`;
  return config.sources
    .filter(({ name }) => selected.includes(name))
    .flatMap(({ name, kind }) => {
      const first = RESOURCES.find((each) => each.kind === kind);
      return first === undefined
        ? []
        : [{ code: 'TIME_ZONE_CHANGED', source: name, resource: first.name, says }];
    });
}
