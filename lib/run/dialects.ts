import type { Dialect } from '../api/dialect.ts';
import { readJson, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { ResourceName } from '../resources.ts';

export interface FoundDialect {
  /** Missing where no answer could be understood. */
  readonly dialect?: Dialect;
  /** The field whose value is the id that children are asked by; only where the resource has children. */
  readonly idField?: string;
  /** Records of the listing. */
  readonly records: number;
  /** It came in one answer, or in pages that add up to a total: what is absent from it is not there. */
  readonly isWhole?: boolean;
  /** Records that came on two pages, each time that they were read. */
  readonly repeats?: number;
}

/** A map of records that some parents' answers of this run prove, and those with one entry or none do not. */
export interface ProvenMap {
  readonly dialect: Dialect;
  /** The pass from which on the answers are read by it. */
  readonly pass: number;
}

/** What list found out about a source in this run, noted before the listing that says it is put into raw. */
export interface Dialects {
  /** What committed runs found, by which this one reads: what the head says of the source. */
  readonly locks: Readonly<Partial<Record<ResourceName, FoundDialect>>>;
  readonly resources: Readonly<Partial<Record<ResourceName, FoundDialect>>>;
  /** Noted by sweep, for children without a lock. */
  readonly proven?: Readonly<Partial<Record<ResourceName, ProvenMap>>>;
  /** The pass that collect begins with, and its batches. */
  readonly pass: number;
  readonly batches: number;
}

const NONE: Dialects = { locks: {}, resources: {}, pass: 0, batches: 0 };

/** The source's dialects in this run; none where list has found nothing yet. Throws STATE_CORRUPT. */
export async function readDialects(lake: Lake, place: { runId: string; source: string }): Promise<Dialects> {
  return ((await readJson(lake, lakeKey('dialects', place))) as Dialects | undefined) ?? NONE;
}

/** Writes what list has found so far. */
export async function writeDialects(
  lake: Lake,
  place: { runId: string; source: string },
  dialects: Dialects,
): Promise<void> {
  await writeJson(lake, lakeKey('dialects', place), dialects);
}
