import * as z from 'zod';
import { OBJECTS_AT_ONCE, readState, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { NamedFiles } from '../lake/named-files.ts';
import { type Attempt, attemptName } from '../run-id.ts';
import { sideBySide } from '../side-by-side.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { type Verdict, verdict } from './outcomes/verdicts.ts';
import type { UnitPlace } from './unit.ts';

const count = z.number().int().nonnegative();

/** A source with rows of an earlier run, answered at `asOf`; null where it was never called. */
export const leftOutSource = z.object({ name: z.string(), asOf: z.string().nullable() }).readonly();

const part = z.object({
  table: z.string(),
  /** YYYY-MM-DD */
  date: z.string(),
  part: count,
  rows: count,
  /** Size and SHA-256 of the file; units of earlier versions lack it. */
  sum: z.string().exactOptional(),
  /** The run in the file's name; without one, that of the attempt. */
  runId: z.string().exactOptional(),
});

/** A source's committed rows of a table that come from cells although their answers are kept. */
const historyAside = z.object({
  source: z.string(),
  table: z.enum(RESOURCE_NAMES),
  /** The kind of the error. */
  why: z.string(),
  /** Values that lost their cells for this reason, and that the unit put into rejects. */
  lost: count,
});
export type HistoryAside = Readonly<z.infer<typeof historyAside>>;

/** The rows of a table after a run, and what became of them. */
export const rowCounts = z.object({
  rows: count,
  added: count,
  removed: count,
  changed: count,
  rejected: count,
});

const publishedUnit = rowCounts.extend({
  parts: z.array(part.readonly()).readonly(),
  table: z.enum(RESOURCE_NAMES).exactOptional(),
  /** Sources with answers that the unit could not use: their committed rows stay. */
  setAside: z
    .array(z.object({ source: z.string(), message: z.string() }).readonly())
    .readonly()
    .exactOptional(),
  /** Tables and sources with committed rows made from cells, because their kept answers were unusable. */
  history: z.array(historyAside.readonly()).readonly().exactOptional(),
  /** Of the ledger: columns, as TABLE.COLUMN, that this run newly hides in all days. */
  hidden: z.array(z.string()).readonly().exactOptional(),
  /** Of the ledger: the config's sources that this run leaves out, and when their rows were last renewed. */
  leftOut: z.array(leftOutSource).readonly().exactOptional(),
  /** Of the ledger: the result of the run. */
  verdict: verdict.exactOptional(),
});

/** What a unit put into the lake. */
export type PublishedUnit = Readonly<z.infer<typeof publishedUnit>>;

/** True where the unit has been published: its files are in the lake. */
export async function isPublished(lake: Lake, place: UnitPlace): Promise<boolean> {
  return (await lake.read(lakeKey('published', place))) !== undefined;
}

export async function writePublishedUnit(
  lake: Lake,
  place: UnitPlace,
  published: PublishedUnit,
): Promise<void> {
  await writeJson(lake, lakeKey('published', place), published);
}

/** What each of an attempt's first units put into the lake. Throws STATE_CORRUPT where one is missing. */
export async function readPublishedUnits(
  lake: Lake,
  { runId, attempt }: Attempt,
  units: number,
): Promise<readonly PublishedUnit[]> {
  const places = Array.from({ length: units }, (_, unit) => ({ runId, attempt, unit }));
  return await sideBySide(places, OBJECTS_AT_ONCE, (place) =>
    readState(lake, lakeKey('published', place), publishedUnit),
  );
}

/** The result of the run, from the ledger. */
export function verdictIn(units: readonly PublishedUnit[]): Verdict {
  const found = units.find((unit) => unit.verdict !== undefined)?.verdict;
  if (found === undefined) throw new Error('an attempt has one ledger');
  return found;
}

/** The files that units of an attempt put into the lake, one entry for each table and date. */
export function writtenFiles(units: readonly PublishedUnit[], attempt: Attempt): readonly NamedFiles[] {
  const parts = units.flatMap((unit) => unit.parts);
  const byPlace = Map.groupBy(parts, ({ table, date }) => `${table} ${date}`);
  return [...byPlace.values()].flatMap((all) => {
    const same = all.toSorted((a, b) => a.part - b.part);
    const sums = same.flatMap(({ sum }) => sum ?? []);
    return same.slice(0, 1).map(({ table, date, runId = attempt.runId }) => ({
      table,
      date,
      run: attemptName({ runId, attempt: attempt.attempt }),
      parts: same.map(({ part }) => part),
      ...(sums.length === same.length && { sums }),
    }));
  });
}
