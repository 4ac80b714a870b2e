import { type Clocks, clocksOf, nextDay } from '../local-time.ts';
import type { Truth } from '../oracle.ts';
import { NO_HOURS, openOn } from '../settings.ts';
import { common, hoursOf, union } from '../spans.ts';
import type { Span } from '../world.ts';
import type { Fleet } from './answer.ts';

export interface Outage {
  readonly key: string;
  readonly span: Span;
  readonly hasEnded: boolean;
  /** Hours that are known at least, and at most. */
  readonly least: number;
  readonly most: number;
  /** Opening hours, or all without any. */
  readonly toRepair: number;
}

/**
 * The outages of a screen that begin in the days of the lake. In a place with opening hours only those that took some
 * of them count.
 */
export function countedOutagesOf({ days }: Fleet, truth: Truth, clocks: Clocks): readonly Outage[] {
  const first = clocks.momentOf(days[0]?.date ?? '', 0);
  const [seen, until] = [truth.seen, truth.seen.at(-1) ?? 0];
  return truth.out
    .filter(([from, to]) => from >= first && from <= until && to > (seen[0] ?? until))
    .map(([from, to]) => ({ watched: common([[from, Math.min(to, until)]], truth.watched), from, to }))
    .map((each) => ({ ...each, open: openHoursOf(truth, each.watched, clocks) }))
    .filter(({ open = 1 }) => open > NO_HOURS)
    .map(({ watched, from, to, open }) => {
      const span: Span = [from, Math.min(to, until)];
      return {
        ...{ key: truth.key, span, hasEnded: to <= until },
        ...{ least: hoursOf(watched), most: hoursOf([span]), toRepair: open ?? hoursOf([span]) },
      };
    });
}

/** How many hours of the spans its place was open; undefined if it had no opening hours on their days. */
export function openHoursOf(
  { told, excused }: Pick<Truth, 'told' | 'excused'>,
  spans: readonly Span[],
  clocks: Clocks,
): number | undefined {
  const days = spans.flatMap(([from, to]) => daysOf(from, to, clocks));
  const open = [...new Set(days)]
    .filter((day) => !excused.has(day))
    .flatMap((day) => {
      const ofDay = openOn(told, day, clocks, clocksOf);
      return ofDay === undefined ? [] : [ofDay];
    });
  return open.length === 0 ? undefined : hoursOf(common(spans, union(open.flat())));
}

function daysOf(from: number, to: number, clocks: Clocks): readonly string[] {
  const days: string[] = [];
  for (let day = clocks.dayOf(from); clocks.momentOf(day, 0) < to; day = nextDay(day, 1)) days.push(day);
  return days;
}
