import { type BatchGroup, batchWidth, cutBatches, readBatch, writeBatches } from '../collect/batch.ts';
import { sourceNamed } from '../config/source-named.ts';
import { lakePrefix, parseKey } from '../lake/keys.ts';
import { keepLease } from '../runtime/keep-lease.ts';
import type { SweepEvent, Work } from '../runtime/payloads.ts';
import { readAttempt } from '../runtime/run-record.ts';
import type { Services } from '../runtime/services.ts';
import { leftOfBatch } from './left-of-batch.ts';

/** A failure that may pass is tried again in as many sweeps. */
const SWEEPS_OF_A_FAILURE = 2;

/**
 * Batches again what a pass left: items not begun, and those that failed for a reason that may pass, the latter in
 * at most two sweeps. Gives no batches where nothing is left, nothing was achieved or the run's deadline is near.
 */
export async function sweepSource(event: SweepEvent, services: Services): Promise<Work> {
  const { lake } = services;
  const record = await readAttempt(lake, event);
  await keepLease(record, services);
  const source = sourceNamed(record.config, event.source);
  const groups: BatchGroup[] = [];
  let decided = 0;
  for await (const { key } of lake.list(lakePrefix('batch', event))) {
    const parsed = parseKey(key);
    if (parsed?.kind !== 'batch') continue;
    const batch = await leftOfBatch(lake, { ...event, batch: parsed.batch }, await readBatch(lake, parsed));
    groups.push(...batch.groups);
    decided += batch.decided;
  }
  const again = merged(groups.filter(({ failures }) => failures <= SWEEPS_OF_A_FAILURE));
  const hopeless = decided === 0 || services.now() >= new Date(record.deadline);
  const pass = event.pass + 1;
  const count = hopeless ? 0 : await writeBatches(lake, { ...event, pass }, cutBatches(source, again));
  return { pass, width: batchWidth(source), batches: Array.from({ length: count }, (_, batch) => batch) };
}

/** One group a resource and number of failures, so that batches are cut evenly. */
function merged(groups: readonly BatchGroup[]): readonly BatchGroup[] {
  const byKind = Map.groupBy(groups, ({ resource, failures }) => `${resource} ${failures}`);
  return [...byKind.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, parents: same.flatMap(({ parents }) => parents) }];
  });
}
