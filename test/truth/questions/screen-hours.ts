import { type Clocks, clocksOf, nextDay } from '../local-time.ts';
import type { Truth } from '../oracle.ts';
import { groupsOn, openOn, placeOn } from '../settings.ts';
import { common, hoursOf, union } from '../spans.ts';
import { cityOf } from '../told.ts';
import type { Span } from '../world.ts';
import { sum } from './answer.ts';

/** Hours of a screen on a local day. */
export interface Hours {
  readonly day: string;
  readonly city: string;
  /** Undefined without opening hours. */
  readonly place: string | undefined;
  /** The number of the group by which it is there. */
  readonly group: number;
  readonly known: number;
  readonly on: number;
  /** How many of them may be told otherwise. */
  readonly slack: number;
  /** How many of them no run and no time of the API could notice. */
  readonly hidden: number;
  /** Hours from the first run that lists it to the last, known or not. */
  readonly all: number;
  readonly allOn: number;
  /** Undefined for a place without opening hours. */
  readonly open: Pick<Hours, 'known' | 'on' | 'all' | 'allOn'> | undefined;
}

export function hoursOfAll(screens: readonly Truth[], clocks: Clocks): readonly Hours[] {
  return screens.flatMap((truth) => {
    const { first, newest: last } = truth;
    if (first === undefined) return [];
    const found: Hours[] = [];
    for (let day = clocks.dayOf(first); day <= clocks.dayOf(last); day = nextDay(day, 1)) {
      const span: Span = [clocks.momentOf(day, 0), clocks.momentOf(nextDay(day, 1), 0)];
      const watched = common(truth.watched, [span]);
      const out = common(truth.out, watched);
      const [open, place] = [openOn(truth.told, day, clocks, clocksOf), placeOn(truth.told, day)];
      const there = truth.excused.has(day) ? [] : common([span], truth.there);
      const hoursIn = (spans: readonly Span[]) => {
        const [known, all] = [hoursOf(common(spans, watched)), hoursOf(common(spans, there))];
        return {
          ...{ known, on: known - hoursOf(common(spans, out)) },
          ...{ all, allOn: all - hoursOf(common(spans, common(truth.out, there))) },
        };
      };
      found.push({
        ...{
          day,
          city: cityOf(truth.told, day),
          place,
          group: groupsOn(truth.told, day).indexOf(place),
          ...hoursIn([span]),
        },
        slack: hoursOf(common(union([...truth.hidden, ...truth.blurred]), watched)) + 0.002,
        hidden: hoursOf(common(union(truth.hidden), watched)) + 0.002,
        open: open && hoursIn(open),
      });
    }
    return found;
  });
}

export const total = (group: readonly Hours[]) => ({
  known: sum(group.map(({ known }) => known)),
  on: sum(group.map(({ on }) => on)),
  all: sum(group.map(({ all }) => all)),
  allOn: sum(group.map(({ allOn }) => allOn)),
  slack: sum(group.map(({ slack }) => slack)),
  hidden: sum(group.map(({ hidden }) => hidden)),
});
