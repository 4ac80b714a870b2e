import type { BrokenTable } from '#lib/views/open-tables.ts';
import { age, roundedTime } from './rounded.ts';

/** When a listing of a source last had an answer. */
export interface Freshness {
  readonly source: string;
  /** Null = never. */
  readonly observedAt: string | null;
  /** False if its newest run got no answer at all. */
  readonly isOfNewestRun: boolean;
}

interface Committed {
  readonly freshness: readonly Freshness[];
  readonly broken: readonly BrokenTable[];
  readonly committedAt: string | null;
}

/** How old the newest answers are. */
export function freshAsOf({ freshness, broken, committedAt }: Committed, now: Date): string {
  if (freshness.length === 0 && broken.length > 0)
    return `Committed at ${roundedTime(committedAt ?? '')}; the age of the answers is unknown, because a table that has it is broken`;
  const newest = newestOf(freshness);
  return newest === undefined
    ? 'No listing was ever answered'
    : `Fresh as of ${roundedTime(newest)} (${age(newest, now)})`;
}

function newestOf(freshness: readonly Freshness[]): string | undefined {
  return freshness
    .flatMap(({ observedAt }) => observedAt ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
}

/** Sources answer at different times within a run. One that lags by more was left out, or failed. */
const LAG_MS = 3_600_000;

/** A line for each source, if one lags behind the newest, or got no answer at all in its newest run. */
export function sourceLines(freshness: readonly Freshness[], now: Date): readonly string[] {
  const newest = Date.parse(newestOf(freshness) ?? '');
  const lags = ({ observedAt, isOfNewestRun }: Freshness) =>
    !isOfNewestRun || (observedAt !== null && newest - Date.parse(observedAt) > LAG_MS);
  if (!freshness.some(lags)) return [];
  return freshness.map(({ source, observedAt, isOfNewestRun }) => {
    if (observedAt === null) return `  ${source}: no call was ever answered; it has no rows`;
    const of = `as of ${roundedTime(observedAt)} (${age(observedAt, now)})`;
    return isOfNewestRun
      ? `  ${source}: ${of}`
      : `  ${source}: its newest run got no answer; its rows are ${of}`;
  });
}
