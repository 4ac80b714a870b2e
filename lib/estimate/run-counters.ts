import { batchCount, batchesOfFirstCall } from '../run/cut-batches.ts';
import { partCount, UNIT_BYTES } from '../run/unit.ts';
import { childrenOf, RESOURCES, type ResourceName, topLevelResources } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';

/** A source and the parents that it lists: players, or storages. */
export interface SourceSize {
  readonly source: Source;
  readonly parents: number;
  /** Bytes of raw from child listings in the last run. For the others, the estimate assumes a size. */
  readonly rawBytes?: ReadonlyMap<ResourceName, number>;
}

export type RunCounters = ReturnType<typeof runCounters>;

/** Bytes of one parent's compressed raw answers: twice the simulator's. */
export const RAW_BYTES = 400;
const KEYS_A_PAGE = 1000;

/**
 * The counters of a run that has no failures, no retries, no further pages and no sweeps. Calls, Lambdas and
 * transitions are exact. `unitBytes`: a child table with more raw is cut.
 */
export function runCounters(sizes: readonly SourceSize[], unitBytes = UNIT_BYTES) {
  const kinds = new Set(sizes.map(({ source }) => source.kind));
  const resources = RESOURCES.filter(({ kind }) => kinds.has(kind));
  const parts = resources.map(({ name, parent }) =>
    parent === null ? 1 : partCount(rawBytesOf(name, sizes), unitBytes),
  );
  const units = sum(parts) + 1;
  const each = sizes.map((size) => {
    const { source, parents } = size;
    const tops = topLevelResources(source.kind).length;
    const children = childrenNames(source).length;
    const batches = Math.min(parents, batchCount(source, parents * children));
    const collects = 1 + batches - batchesOfFirstCall(source, batches);
    const files = tops + children * batches;
    return { tops, children, batches, collects, files, calls: tops + children * parents };
  });
  const files = sum(each.map((one) => one.files));
  return {
    calls: sum(each.map(({ calls }) => calls)),
    /** Batches, and calls of collect, for each source in their order. */
    batches: each.map(({ batches }) => batches),
    collects: each.map(({ collects }) => collects),
    /** Units of publishing. */
    units,
    lambdas: 3 + units + sum(each.map(({ collects }) => 1 + collects)),
    // State transitions, including those of the sources' child executions and their starts.
    // Sources, Plan, Publish, Commit, Verdict, Committed and the units. For each source its start, List, Collect and
    // Rest, which has four more states and a call for each batch after the first call.
    transitions: 6 + units + sum(each.map(({ collects }) => 4 + (collects > 1 ? 3 + collects : 0))),
    // Objects put where no row changes and no value is rejected.
    // For each source its raw, dialects and batches. Unit, result and part of each unit; lease, plan, ledger, head.
    puts: 14 + 3 * units + sum(each.map((one) => one.files + 1 + one.batches)),
    // Pages of listings of the lake's keys.
    lists: 8 + 4 * Math.ceil(files / KEYS_A_PAGE),
    // Objects read, or asked for their size. Plan and publish read raw once each. List, collect and plan read what was noted of the source.
    gets: 50 + 10 * units + 2 * files + sum(each.map(({ batches }) => 10 + 8 * batches)),
  };
}

/** Of all sources with the listing. */
function rawBytesOf(child: ResourceName, sizes: readonly SourceSize[]): number {
  return sum(
    sizes.map(({ source, parents, rawBytes }) => {
      const children = childrenNames(source);
      if (!children.some(({ name }) => name === child)) return 0;
      return rawBytes?.get(child) ?? (parents * RAW_BYTES) / children.length;
    }),
  );
}

function childrenNames({ kind }: Source) {
  return topLevelResources(kind).flatMap(({ name }) => childrenOf(name));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
