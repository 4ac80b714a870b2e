import { parseKey } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { listKeys } from '../../lake/list-keys.ts';
import { type Base, newestKeys } from '../../run/base.ts';
import type { Dialects } from '../../run/dialects.ts';
import type { RawOfResource } from '../../run/raw-of-run.ts';
import type { RunRecord } from '../../run/run-record.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { childrenOf, RESOURCES } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import { emptyRelation, ofType, quoteLiteral, readParquet } from '../../sql.ts';
import { judgedIn, planMessage } from '../plan-cures.ts';
import { doubtChildren } from './children-in-doubt.ts';
import { idFault } from './id-fault.ts';
import { outcomesSql, type UnaskedParents } from './outcomes.ts';

export interface JudgeOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly record: RunRecord;
  readonly base: Base;
  readonly sources: readonly Source[];
  readonly raw: readonly RawOfResource[];
  readonly dialects: ReadonlyMap<string, Dialects>;
}

/** Makes the table `outcomes`: compares what the listings promised with what raw holds. */
export async function judgeOutcomes(options: JudgeOptions): Promise<void> {
  const { db, lake, record, base, sources } = options;
  const statements = outcomesSql({
    sources,
    raw: options.raw,
    promises: await promisesOf(lake, record.runId, sources),
    lost: await lostOf(options),
    withoutId: withoutId(options),
    unlisted: unlistedOf(options),
    before: await recordsBefore(lake, base),
    maxShrink: record.config.maxShrink,
    acceptShrink: record.acceptShrink,
  });
  for (const statement of statements) await db.run(statement);
  await doubtChildren(options);
  await sayCures(db);
}

/** Writes the messages of the listings that plan itself calls failed, with the settings that may help. */
async function sayCures(db: DuckDb): Promise<void> {
  const judged = await db.rows(
    'select distinct resource, error_code, says, choices from outcomes where says is not null',
  );
  for (const row of judged) {
    const { resource, says } = row;
    const message = planMessage(String(says), judgedIn(row));
    await db.run(`
      update outcomes
      set message = ${quoteLiteral(message)}
      where resource = ${quoteLiteral(String(resource))} and says = ${quoteLiteral(String(says))}`);
  }
}

/** Paths of the first pass's batches of each source. */
async function promisesOf(
  lake: Lake,
  runId: string,
  sources: readonly Source[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const promises = new Map<string, readonly string[]>();
  for (const { name: source } of sources) {
    const keys: string[] = [];
    for await (const { key } of listKeys(lake, 'batch', { runId, source, pass: 0 })) keys.push(key);
    promises.set(source, await lake.localPaths(keys));
  }
  return promises;
}

/** Paths of each source's batches, of all passes, that have no raw file. */
async function lostOf({
  lake,
  record,
  sources,
  raw,
}: JudgeOptions): Promise<ReadonlyMap<string, readonly string[]>> {
  const lost = new Map<string, readonly string[]>();
  for (const { name: source } of sources) {
    const files = raw.filter((each) => each.source === source).flatMap(({ keys }) => keys.map(parseKey));
    const kept = new Set(files.map((file) => (file?.kind === 'raw' ? `${file.pass} ${file.batch}` : '')));
    const keys: string[] = [];
    for await (const { key, pass, batch } of listKeys(lake, 'batch', { runId: record.runId, source })) {
      if (!kept.has(`${pass} ${batch}`)) keys.push(key);
    }
    lost.set(source, await lake.localPaths(keys));
  }
  return lost;
}

/** Parents whose children were asked for though the listing lacks them, by source. */
function unlistedOf({ dialects }: JudgeOptions): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...dialects].map(([source, { resources }]) => [
      source,
      Object.values(resources).flatMap(({ unlisted = [] }) => unlisted),
    ]),
  );
}

/** The listings of parents with something wrong in their ids, so that some or all children cannot be asked for. */
function withoutId({ raw, dialects }: JudgeOptions): readonly UnaskedParents[] {
  return raw.flatMap(({ source, resource }) => {
    const found = dialects.get(source)?.resources[resource];
    const isRead = childrenOf(resource).length > 0 && found?.dialect !== undefined && found.records > 0;
    const fault = isRead ? idFault(resource, found) : undefined;
    return fault === undefined ? [] : [{ source, resource, ...fault }];
  });
}

/** SQL of the number of records of each committed listing; a queue, such as transfers, has none, for it may shrink. */
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
