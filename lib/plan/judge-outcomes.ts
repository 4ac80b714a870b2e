import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { childrenOf, RESOURCES } from '../resources.ts';
import { type Base, newestKeys } from '../run/base.ts';
import type { Dialects } from '../run/dialects.ts';
import type { RawOfResource } from '../run/raw-of-run.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Source } from '../sources/source.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { outcomesSql } from './outcomes.ts';

export interface JudgeOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly record: RunRecord;
  readonly base: Base;
  readonly sources: readonly Source[];
  readonly raw: readonly RawOfResource[];
  readonly dialects: ReadonlyMap<string, Dialects>;
}

/** Makes the table `outcomes`: what the listings promised against what raw holds. */
export async function judgeOutcomes(options: JudgeOptions): Promise<void> {
  const { db, lake, record, base, sources } = options;
  const statements = outcomesSql({
    sources,
    raw: options.raw,
    promises: await promisesOf(lake, record.runId, sources),
    withoutId: await withoutId(options),
    before: await recordsBefore(lake, base),
    maxShrink: record.config.maxShrink,
    acceptShrink: record.acceptShrink,
  });
  for (const statement of statements) await db.run(statement);
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

/** Parent listings that have records but no field by which to ask for children. */
async function withoutId({ raw, dialects }: JudgeOptions) {
  return raw.flatMap(({ source, resource }) => {
    const found = dialects.get(source)?.resources[resource];
    const needsId = childrenOf(resource).length > 0 && found?.dialect !== undefined && found.records > 0;
    return needsId && found.idField === undefined ? [{ source, resource }] : [];
  });
}

/** SQL of how many records each committed listing has, those of a queue aside. */
async function recordsBefore(lake: Lake, base: Base): Promise<string> {
  const parts = [
    'select null::varchar as source, null::varchar as resource, null::varchar as parent_id, 0 as records where false',
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
