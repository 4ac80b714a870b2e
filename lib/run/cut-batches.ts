import { inHashOrder, parentHash } from '../parent-hash.ts';
import type { Source } from '../sources/source.ts';
import type { BatchGroup } from './batch.ts';

/** Calls a second that we assume of a source without a limit, when its batches are cut. */
const ASSUMED_RATE = 200;
/** Calls a second that one caller makes: a slow API takes 250 ms for an answer. */
const RATE_OF_ONE = 4;
/** Two minutes of work, so that a killed batch loses little and a Lambda's 15 minutes bear a slow API. */
const BATCH_SECONDS = 120;
/** A Map's history has room for 25,000 events, a batch takes about 8 of them, and sweeps come on top. */
const MAX_BATCHES = 1000;

/** Calls in flight from one Lambda; more than that are spread over several at once. */
const CALLS_IN_FLIGHT = 64;

/** How many batches of a source run at once; no more than the calls that 10 s may have, of which each has its share. */
export function batchWidth({ concurrency, requestsPerSecond }: Source): number {
  const most = requestsPerSecond === null ? Number.POSITIVE_INFINITY : Math.floor(10 * requestsPerSecond + 1);
  return Math.max(1, Math.min(most, Math.ceil(concurrency / CALLS_IN_FLIGHT)));
}

/**
 * Cuts groups into at most 1,000 batches. A batch is about two minutes of calls at the source's rate. All groups of a
 * batch have the same parents, if the given groups have the same: a player's answers lie in one batch. Parents come in
 * the order of their hashes. So each batch, and its raw file, covers one range of hashes, which lib/plan/cut-parts.ts
 * relies on. `least` asks for at least so many batches, as far as there are parents.
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

/** Into how many batches so many calls are cut. There are never more batches than parents. */
export function batchCount(source: Source, calls: number): number {
  const rate = Math.min(source.requestsPerSecond ?? ASSUMED_RATE, source.concurrency * RATE_OF_ONE);
  const perBatch = Math.max(1, Math.round(rate * BATCH_SECONDS));
  return Math.min(MAX_BATCHES, Math.ceil(calls / perBatch));
}

function share({ parents }: BatchGroup, batch: number, count: number): number {
  return Math.floor((parents.length * batch) / count);
}

/**
 * The batch with which a pass begins: that of the parent whose turn it is, by its hash. From the last batch it goes on with
 * the first, so whoever was asked for the longest time ago comes first.
 */
export function firstBatch(batches: readonly (readonly BatchGroup[])[], from: string | undefined): number {
  if (from === undefined) return 0;
  const begins = ([group]: readonly BatchGroup[]) => parentHash(group?.parents[0] ?? '');
  return Math.max(
    0,
    batches.findLastIndex((batch) => begins(batch) <= from),
  );
}
