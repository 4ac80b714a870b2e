import { batchCount } from '../run/cut-batches.ts';
import { partsOf, UNIT_BYTES } from '../run/parts-of-table.ts';
import { childrenOf, RESOURCES, type ResourceName, topLevelResources } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';

/** A source and the parents that it lists: players, or storages. */
export interface SourceSize {
  readonly source: Source;
  readonly parents: number;
  /** Bytes of raw from child listings in the last run. For the others, the estimate assumes a size. */
  readonly rawBytes?: ReadonlyMap<ResourceName, number>;
}

export interface RunOptions {
  /**
   * Files of changes and rejects that the run writes: one for each table with any. One more for each of the
   * two that an earlier run of the day left.
   */
  readonly ledgerParts: number;
  /** A child table with more raw is cut. */
  readonly unitBytes?: number;
}

export interface RunCounters {
  readonly calls: number;
  /** Batches of each source, in their order. */
  readonly batches: readonly number[];
  /** Units of publishing. */
  readonly units: number;
  readonly lambdas: number;
  /** State transitions, including the sources' child executions and their starts. */
  readonly transitions: number;
  /** Objects put, without renewals of the lease: at most one in two minutes. */
  readonly puts: number;
  /** Pages of listings of the lake's keys. */
  readonly lists: number;
  /** Objects read. This is an estimate, because it depends on what is committed. */
  readonly gets: number;
}

/** Bytes of one parent's compressed raw answers: twice the simulator's. */
export const RAW_BYTES = 400;

/** The counters of a run that has no failures, no retries, no further pages and no sweeps. */
export function runCounters(sizes: readonly SourceSize[], options: RunOptions): RunCounters {
  const { ledgerParts, unitBytes = UNIT_BYTES } = options;
  const batches = sizes.map(batchesOf);
  const kinds = new Set(sizes.map(({ source }) => source.kind));
  const resources = RESOURCES.filter(({ kind }) => kinds.has(kind));
  const parts = sum(
    resources.map(({ name, parent }) => (parent === null ? 1 : partsOf(rawBytesOf(name, sizes), unitBytes))),
  );
  const units = parts + 1;
  const all = sum(batches);
  const listings = sizes.map(({ source }) => topLevelResources(source.kind).length);
  const children = sizes.map(({ source }) => childrenNames(source).length);
  const ofSources = sizes.map((_, index) => {
    const [tops, each, cut] = [listings[index] ?? 0, children[index] ?? 0, batches[index] ?? 0];
    // Batches, dialects after each listing, raw, the parents with rows.
    return cut + tops + (tops + each * cut) + 1;
  });
  return {
    calls: sum(sizes.map(({ parents }, index) => (listings[index] ?? 0) + (children[index] ?? 0) * parents)),
    batches,
    units,
    lambdas: 1 + sizes.length + all + 1 + units + 1,
    // Sources, Plan, Publish, Commit, Verdict, Committed; a source's child, its three states and batches; the units.
    transitions: 6 + units + sum(batches.map((cut) => 4 + cut)),
    // The run's config, sums of raw, outcomes, schema, plan, summary, head, the next head, its copy and that of state/;
    // the lease taken and returned; each unit and what it published; the tables, outcomes, schema_columns and runs.
    puts: sum(ofSources) + 10 + 2 + 2 * units + (parts + 3) + ledgerParts,
    // Raw of the run, months, raw; for each source its raw, and its batches three times.
    lists: 3 + 4 * sizes.length,
    gets: 25 + 12 * units + sum(batches.map((cut) => 15 + 13 * cut)),
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

function batchesOf({ source, parents }: SourceSize): number {
  return Math.min(parents, batchCount(source, parents * childrenNames(source).length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
