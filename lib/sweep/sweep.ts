import { lackOf, mayPass } from '../api/codes.ts';
import { type Contract, provesMore } from '../api/contract/contract.ts';
import { sourceNamed } from '../config/config.ts';
import { type KeyFields, lakeKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt } from '../lake/raw/raw-file.ts';
import { type BatchGroup, readBatch, writeBatches } from '../run/batch.ts';
import { batchWidth, cutBatches } from '../run/cut-batches.ts';
import { dialectIn, readDialects, writeDialects } from '../run/dialects.ts';
import { holdLease } from '../run/keep-lease.ts';
import { isGivenUp, isSilent, readPauses, secondsLeft } from '../run/pause.ts';
import { type SweepEvent, sweepEvent, type Work } from '../run/payloads.ts';
import { asksUntil, readAttempt } from '../run/run-record.ts';
import type { Services } from '../runtime/services.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';

/** How many sweeps try a passing failure again; a dead call counts too. */
const SWEEPS_OF_A_FAILURE = 2;
/**
 * Into how many batches a lost one is cut. One item may kill every call that gets it, and its batch has up to
 * 64 items. After two cuts that item is alone, and all others are collected.
 */
const PARTS_OF_A_LOST_BATCH = 8;
/** The most batches that these parts may make: a Map's history has room for about 3,000. */
const MOST_PARTS = 1000;

/**
 * Makes new batches of what a pass left:
 * - items that were not begun;
 * - items that failed for a reason that may pass, or died with their call, in at most two sweeps;
 * - once, items with a shape that another parent's answer has proved since.
 * A source that was silent for an hour gets no second try. Returns no batches where nothing is left or the
 * pass had no effect. The same holds where the wait is too long for the run, or ends after its deadline.
 */
export async function sweep(given: unknown, services: Services): Promise<Work> {
  const event = sweepEvent.parse(given);
  const { lake } = services;
  const record = await readAttempt(lake, event);
  await using _lease = await holdLease(record, services);
  const source = sourceNamed(record.config, event.source);
  const groups: BatchGroup[] = [];
  const lost: (readonly BatchGroup[])[] = [];
  const found = new Map<ResourceName, Contract>();
  let decided = 0;
  for await (const place of listKeys(lake, 'batch', event)) {
    const batch = await leftOfBatch(lake, place, await readBatch(lake, place));
    groups.push(...batch.groups);
    const anew = batch.lost.filter(({ failures }) => failures <= SWEEPS_OF_A_FAILURE);
    if (anew.length > 0) lost.push(anew);
    decided += batch.decided;
    for (const [resource, dialect] of batch.found) {
      const isProof = dialect.keys !== undefined || dialect.pageSize !== undefined;
      if (isProof && provesMore(dialect, found.get(resource))) found.set(resource, dialect);
    }
  }
  const readAnew = await provenSince(lake, event, found);
  const pauses = await readPauses(lake, event);
  const now = services.now();
  const deadline = asksUntil(record);
  // Items that were never begun still get a batch, which records the silent source for each.
  const mostFailures = isSilent(pauses, { attempt: event.attempt, now }) ? 0 : SWEEPS_OF_A_FAILURE;
  const isOnceMore = ({ failures }: BatchGroup) => failures <= mostFailures;
  const again = merged([...groups.filter(isOnceMore), ...readAnew]).filter(
    ({ parents }) => parents.length > 0,
  );
  const parts = Math.min(PARTS_OF_A_LOST_BATCH, Math.ceil(MOST_PARTS / lost.length));
  const batches = [...batchesOf(source, again), ...lost.flatMap((one) => cutBatches(source, one, parts))];
  const waitSeconds = Math.max(secondsLeft(pauses.until, now), secondsLeft(pauses.nextPass, now));
  const isOver = now.getTime() + waitSeconds * 1000 >= deadline.getTime();
  const isRefused = isGivenUp(pauses, { attempt: event.attempt, now });
  const isHopeless = isOver || isRefused || (decided === 0 && lost.length === 0 && waitSeconds === 0);
  const pass = event.pass + 1;
  const count = await writeBatches(lake, { ...event, pass }, isHopeless ? [] : batches);
  return {
    pass,
    width: batchWidth(source),
    batches: Array.from({ length: count }, (_, batch) => batch),
    waitSeconds,
  };
}

/**
 * Notes the record shapes and pagings that this pass proved for the first time; later passes read by them.
 * Returns the parents with answers that were unreadable until now. A repeat after a kill does the same.
 */
async function provenSince(
  lake: Lake,
  event: SweepEvent,
  found: ReadonlyMap<ResourceName, Contract>,
): Promise<readonly BatchGroup[]> {
  const { pass } = event;
  const dialects = await readDialects(lake, event);
  const first = [...found].filter(
    ([resource, dialect]) =>
      provesMore(dialect, dialects.locks[resource]?.dialect) &&
      (dialects.proven?.[resource]?.pass ?? Number.POSITIVE_INFINITY) > pass,
  );
  if (first.length === 0) return [];
  const proven = Object.fromEntries(
    first.map(([resource, dialect]) => [resource, { dialect, pass: pass + 1 }]),
  );
  await writeDialects(lake, event, { ...dialects, proven: { ...dialects.proven, ...proven } });
  const groups: BatchGroup[] = [];
  for (const [resource, dialect] of first) {
    const parents = await unprovenParents(lake, { ...event, resource, dialect });
    if (parents.length > 0) groups.push({ resource, failures: 0, parents: [...parents] });
  }
  return groups;
}

/**
 * A batch has one raw file for each resource, so it has one group. Failed items and items that were not begun
 * go into different batches.
 */
function batchesOf(source: Source, groups: readonly BatchGroup[]) {
  const byFailures = Map.groupBy(groups, ({ failures }) => failures);
  return [...byFailures.values()].flatMap((same) => cutBatches(source, same));
}

/** Makes one group for each resource and number of failures, so that batches are cut evenly. */
function merged(groups: readonly BatchGroup[]): readonly BatchGroup[] {
  const byKind = Map.groupBy(groups, ({ resource, failures }) => `${resource} ${failures}`);
  return [...byKind.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, parents: same.flatMap(({ parents }) => parents) }];
  });
}

/**
 * The items of a batch that its raw files lack; `failures` counts the sweeps in which one failed. `lost` are those that
 * a dead call left without an answer, `decided` counts the others, and `found` says how their answers are built.
 */
async function leftOfBatch(lake: Lake, place: KeyFields<'batch'>, groups: readonly BatchGroup[]) {
  const left: BatchGroup[] = [];
  const lost: BatchGroup[] = [];
  const found: [ResourceName, Contract][] = [];
  let decided = 0;
  for (const group of groups) {
    const key = lakeKey('raw', { ...place, resource: group.resource });
    const index = await rawIndexAt(lake, key);
    if (index === undefined) {
      lost.push({ ...group, failures: group.failures + 1 });
      continue;
    }
    const ended = new Set<string>();
    const failed: string[] = [];
    const dialect = dialectIn(index.metadata.dialect);
    if (dialect !== undefined) found.push([group.resource, dialect]);
    for (const { parentId, outcome, errorCode } of index.rows) {
      if (parentId === null || outcome === null) continue;
      ended.add(parentId);
      if (outcome === 'failed' && errorCode !== null && mayPass(errorCode)) failed.push(parentId);
    }
    decided += ended.size;
    left.push({ ...group, parents: group.parents.filter((parent) => !ended.has(parent)) });
    left.push({ ...group, failures: group.failures + 1, parents: failed });
  }
  return { groups: left.filter(({ parents }) => parents.length > 0), lost, decided, found };
}

/**
 * The parents with a latest answer, up to a pass, that lacks what the dialect proves. So does one call with as many
 * records as a page has, made before anybody knew of numbered pages.
 */
async function unprovenParents(
  lake: Lake,
  of: Pick<KeyFields<'raw'>, 'runId' | 'source' | 'resource' | 'pass'> & { readonly dialect: Contract },
): Promise<readonly string[]> {
  const { pass, dialect, ...place } = of;
  const files: { readonly key: string; readonly pass: number }[] = [];
  for await (const file of listKeys(lake, 'raw', place)) if (file.pass <= pass) files.push(file);
  const unproven = new Set<string>();
  for (const { key } of files.sort((a, b) => a.pass - b.pass)) {
    const { rows = [] } = (await rawIndexAt(lake, key)) ?? {};
    const read = new Map<string, { readonly calls: number; readonly items: number }>();
    for (const { parentId, slice, outcome, errorCode, items } of rows) {
      if (parentId === null) continue;
      const before = read.get(parentId) ?? { calls: 0, items: 0 };
      const now = { calls: before.calls + (slice === 0 ? 1 : 0), items: before.items + items };
      read.set(parentId, now);
      if (outcome === null) continue;
      const lack = errorCode === null ? undefined : lackOf(errorCode);
      const isFull = dialect.firstPage !== undefined && now.calls === 1 && now.items === dialect.pageSize;
      if (isFull || (lack !== undefined && dialect[lack] !== undefined)) unproven.add(parentId);
      else unproven.delete(parentId);
    }
  }
  return [...unproven];
}
