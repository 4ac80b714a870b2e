import { inHashOrder, parentHash } from '../parent-hash.ts';
import type { Source } from '../sources/source.ts';
import type { BatchGroup } from './batch.ts';

/** The assumed calls a second of a source without a limit, for cutting its batches. */
const ASSUMED_RATE = 200;
/** Calls a second of one caller: a slow API takes 250 ms for an answer. */
const RATE_OF_ONE = 4;
/** Two minutes of work: a killed batch loses little, and a slow API still fits a Lambda's 15 minutes. */
const BATCH_SECONDS = 120;
/** A Map's history has room for 25,000 events. A batch takes about 8 of them, and sweeps add more. */
const MAX_BATCHES = 1000;

/** Most calls in flight from one Lambda; more are spread over several Lambdas. */
const CALLS_IN_FLIGHT = 64;

/** How many batches of a source run at once. Each needs at least one of the calls that 10 s may have. */
export function batchWidth({ concurrency, requestsPerSecond }: Source): number {
  const most = requestsPerSecond === null ? Number.POSITIVE_INFINITY : Math.floor(10 * requestsPerSecond + 1);
  return Math.max(1, Math.min(most, Math.ceil(concurrency / CALLS_IN_FLIGHT)));
}

/**
 * The first call of collect takes this many batches of a source: 8 of a Lambda's 15 minutes. What a slow API
 * leaves of them is swept.
 */
const BATCHES_OF_A_CALL = 4;

/** How many batches the first call of collect takes, one after the other. None where several run at once. */
export function batchesOfFirstCall(source: Source, batches: number): number {
  if (batches > 1 && batchWidth(source) > 1) return 0;
  return Math.min(batches, BATCHES_OF_A_CALL);
}

/**
 * Cuts groups into at most 1,000 batches, and into at least `least` if there are enough parents. A batch is
 * about two minutes of calls at the source's rate. Groups with the same parents stay together, so a player's
 * answers are in one batch. Parents come in the order of their hashes, so each batch and raw file covers one
 * range. lib/plan/cut-parts.ts relies on that.
 */
export function cutBatches(
  source: Source,
  groups: readonly BatchGroup[],
  least = 1,
): readonly (readonly BatchGroup[])[] {
  const calls = groups.reduce((sum, { parents }) => sum + parents.length, 0);
  if (calls === 0) return [];
  const longest = Math.max(...groups.map(({ parents }) => parents.length));
  const count = Math.max(batchCount(source, calls), Math.min(least, longest));
  const lists = new Map(
    [...new Set(groups.map(({ parents }) => parents))].map((one) => [one, inHashOrder(one)]),
  );
  const ordered = groups.map((each) => ({ ...each, parents: lists.get(each.parents) ?? [] }));
  const batches = Array.from({ length: count }, (_, batch) =>
    ordered
      .map((each) => ({
        ...each,
        parents: each.parents.slice(share(each, batch, count), share(each, batch + 1, count)),
      }))
      .filter(({ parents }) => parents.length > 0),
  );
  return batches.filter((batch) => batch.length > 0);
}

/** Into how many batches these calls are cut, at most one for each parent. */
export function batchCount(source: Source, calls: number): number {
  const rate = Math.min(source.requestsPerSecond ?? ASSUMED_RATE, source.concurrency * RATE_OF_ONE);
  const perBatch = Math.max(1, Math.round(rate * BATCH_SECONDS));
  return Math.min(MAX_BATCHES, Math.ceil(calls / perBatch));
}

function share({ parents }: BatchGroup, batch: number, count: number): number {
  return Math.floor((parents.length * batch) / count);
}

/**
 * The first batch of a pass, found by the hash of the next parent. After the last batch comes number 0, so
 * the parents that waited longest come first.
 */
export function firstBatch(batches: readonly (readonly BatchGroup[])[], from: string | undefined): number {
  if (from === undefined) return 0;
  const begins = ([group]: readonly BatchGroup[]) => parentHash(group?.parents[0] ?? '');
  return Math.max(
    0,
    batches.findLastIndex((batch) => begins(batch) <= from),
  );
}
