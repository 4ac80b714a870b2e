import { OBJECTS_AT_ONCE } from '../../lake/json-object.ts';
import { type ListedKey, listKeys, parseKey } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { type Base, newestKeys } from '../../run/base.ts';
import { isPaged } from '../../run/dialects.ts';
import { isGivenUp, readPauses } from '../../run/pause.ts';
import { asksUntil } from '../../run/run-record.ts';
import { sideBySide } from '../../side-by-side.ts';
import { childrenOf, RESOURCES } from '../../sources/resources.ts';
import { emptyRelation, ofType, quoteLiteral, readParquet } from '../../sql.ts';
import type { Planning } from '../planning.ts';
import { doubtChildren } from './children-in-doubt.ts';
import { idFault } from './id-fault.ts';
import { readNoted } from './note-outcomes.ts';
import { outcomesSql, type PagedChildren } from './outcomes.ts';
import type { UnaskedParents } from './promised.ts';

/** Makes the table `outcomes`: compares what the listings promised with what raw holds. */
export async function judgeOutcomes(options: Planning): Promise<void> {
  const { db, lake, record, base, sources } = options;
  const statements = outcomesSql({
    sources,
    raw: options.raw,
    ...(await batchesOf(options)),
    ...(await waitsOf(options)),
    withoutId: withoutId(options),
    paged: pagedChildren(options),
    unlisted: unlistedOf(options),
    before: await recordsBefore(lake, base),
    maxShrink: record.config.maxShrink,
    acceptShrink: record.acceptShrink,
  });
  await db.run(statements.join(';\n'));
  await readNoted(db, options.raw);
  await doubtChildren(options);
}

/** The sources with servers that want a longer wait than the run lasts, and those without time left. */
async function waitsOf({ lake, record, sources }: Planning) {
  const closed = new Map<string, Date>();
  const late: string[] = [];
  await sideBySide(sources, OBJECTS_AT_ONCE, async ({ name: source }) => {
    const pauses = await readPauses(lake, { runId: record.runId, source });
    const { until } = pauses;
    if (pauses.late === true) late.push(source);
    if (until !== undefined && (until >= asksUntil(record) || isGivenUp(pauses))) closed.set(source, until);
  });
  return { closed, late };
}

/** Paths of the first pass's batches, which list the requests, and of batches of any pass without a raw file. */
async function batchesOf({ lake, record, sources, raw }: Planning) {
  const kept = new Set(raw.flatMap(({ keys }) => keys.map(batchOfRaw)));
  const names = new Set(sources.map(({ name }) => name));
  const batches: ListedKey<'batch'>[] = [];
  for await (const batch of listKeys(lake, 'batch', { runId: record.runId }))
    if (names.has(batch.source)) batches.push(batch);
  const pathsOf = (wanted: readonly ListedKey<'batch'>[]) => lake.localPaths(wanted.map(({ key }) => key));
  return {
    promises: await pathsOf(batches.filter(({ pass }) => pass === 0)),
    lost: await pathsOf(batches.filter(({ source, pass, batch }) => !kept.has(`${source} ${pass} ${batch}`))),
  };
}

/** The batch that a raw file has the answers of. */
function batchOfRaw(key: string): string {
  const file = parseKey(key);
  return file?.kind === 'raw' ? `${file.source} ${file.pass} ${file.batch}` : '';
}

/** By source: requested parents that the listing lacks. */
function unlistedOf({ dialects }: Planning): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...dialects].map(([source, { resources }]) => [
      source,
      Object.values(resources).flatMap(({ unlisted = [] }) => unlisted),
    ]),
  );
}

function pagedChildren({ raw, sources }: Planning): readonly PagedChildren[] {
  const leadOn = raw.filter(({ notes }) => notes.some(isPaged));
  return leadOn.map(({ source, resource }) => {
    const settings = sources.find(({ name }) => name === source)?.resources[resource];
    return { source, resource, isDeclaredComplete: settings?.complete === true };
  });
}

/** The parents' listings with faulty ids, so that the run cannot request some or all children. */
function withoutId({ raw, dialects }: Planning): readonly UnaskedParents[] {
  return raw.flatMap(({ source, resource }) => {
    const found = dialects.get(source)?.resources[resource];
    const isRead = childrenOf(resource).length > 0 && found?.dialect !== undefined && found.records > 0;
    const fault = isRead ? idFault(resource, found) : undefined;
    return fault === undefined ? [] : [{ source, resource, ...fault }];
  });
}

/** SQL of the number of records of each committed listing, except queues such as transfers, which may shrink. */
async function recordsBefore(lake: Lake, base: Base): Promise<string> {
  const parts = [
    emptyRelation([...ofType('varchar', 'source', 'resource', 'parent_id'), ...ofType('bigint', 'records')]),
  ];
  for (const { name, parent, parentColumn, isQueue } of RESOURCES) {
    const paths = isQueue ? [] : await lake.localPaths(newestKeys(base, name));
    if (paths.length === 0) continue;
    const parentId = parent === null ? 'null' : String(parentColumn);
    parts.push(`
      select export_source, ${quoteLiteral(name)}, ${parentId}::varchar, count(*)
      from ${readParquet(paths)}
      group by all`);
  }
  return parts.join(' union all ');
}
