import { type Contract, provesMore } from '../api/contract/contract.ts';
import { sourceNamed } from '../config/config.ts';
import { listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { type BatchGroup, readBatch, writeBatches } from '../run/batch.ts';
import { batchWidth, cutBatches } from '../run/cut-batches.ts';
import { readDialects, writeDialects } from '../run/dialects.ts';
import { holdLease } from '../run/keep-lease.ts';
import { isGivenUp, isSilent, readPauses, secondsLeft } from '../run/pause.ts';
import { type SweepEvent, sweepEvent, type Work } from '../run/payloads.ts';
import { asksUntil, readAttempt } from '../run/run-record.ts';
import type { Services } from '../runtime/services.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { leftOfBatch } from './left-of-batch.ts';
import { unprovenParents } from './unproven.ts';

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
    const anew = batch.lost.filter(isTriedAgain);
    if (anew.length > 0) lost.push(anew);
    decided += batch.decided;
    for (const [resource, dialect] of batch.found)
      if (isProof(dialect) && provesMore(dialect, found.get(resource))) found.set(resource, dialect);
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

function isTriedAgain({ failures }: BatchGroup): boolean {
  return failures <= SWEEPS_OF_A_FAILURE;
}

function isProof({ keys, pageSize }: Contract): boolean {
  return keys !== undefined || pageSize !== undefined;
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
