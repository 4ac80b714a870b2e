import { type Clocks, nextDay } from './local-time.ts';
import { common, union } from './spans.ts';
import { cityOf, customOf, type Moved } from './told.ts';
import type { Span } from './world.ts';

/**
 * When the places of the worlds are open: by day until others hold, over midnight in another zone, and by lines of two zones
 * that overlap. Elsewhere nobody says.
 */
export const HOURS: readonly TrueHours[] = [
  { group: 'Bern', weekday: 'Mon-Sun', from: 480, to: 1200, zone: 'Europe/Berlin', until: '2026-10-27' },
  { group: 'Bern', weekday: 'Mon-Sun', from: 600, to: 1080, zone: 'Europe/Berlin', since: '2026-10-28' },
  { group: 'Nancy', weekday: 'Mon-Fri', from: 1320, to: 1620, zone: 'America/New_York' },
  { group: 'ACME', weekday: 'Mon-Sun', from: 540, to: 1080, zone: 'Europe/Berlin' },
  { group: 'ACME', weekday: 'Mon-Fri', from: 600, to: 960, zone: 'America/New_York' },
];

/** So few opening hours are none. */
export const NO_HOURS = 0.25;

interface TrueHours {
  readonly group: string;
  readonly weekday: 'Mon-Sun' | 'Mon-Fri';
  /** Minutes after midnight. */
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly since?: string;
  readonly until?: string;
}

/** Columns of players by which the worlds are grouped, in the order of the config's groups. */
export const GROUPED: readonly string[] = ['city', 'custom_id'];

/** The share of the time that screens are wanted to be on: of a value, of a value of one group, and elsewhere. */
export const TARGETS = { '*': 0.9, Bern: 0.95, Hof: 0.8, 'CustomId=Hof': 0.7 } as const;

/** The values of a player's groups on a local day. */
export function groupsOn(player: Moved, localDay: string): readonly (string | undefined)[] {
  return [cityOf(player, localDay), customOf(player, localDay)];
}

/** The first of its groups that has opening hours; undefined where none has. */
export function placeOn(player: Moved, localDay: string): string | undefined {
  return groupsOn(player, localDay).find((value) => HOURS.some(({ group }) => group === value));
}

/** What is wanted of a group's value. `hasCity`: whether a player was ever in the city Bern. */
export function targetOf(group: number, value: string, hasCity: boolean): number {
  if (value === 'Hof') return group === 0 ? TARGETS.Hof : TARGETS['CustomId=Hof'];
  return value === 'Bern' && group === (hasCity ? 0 : 1) ? TARGETS.Bern : TARGETS['*'];
}

/** When the place of a player was open on a local day; undefined for a place without opening hours. */
export function openOn(player: Moved, day: string, clocks: Clocks, zones: (zone: string) => Clocks) {
  const place = placeOn(player, day);
  const lines = HOURS.filter(({ group }) => group === place);
  if (lines.length === 0) return undefined;
  const spans = lines.flatMap(({ weekday, from, to, zone, since = '', until = '9999' }) =>
    [-2, -1, 0, 1].flatMap((shift): readonly Span[] => {
      const own = nextDay(day, shift);
      const isClosed = weekday === 'Mon-Fri' && [0, 6].includes(new Date(`${own}T00:00:00Z`).getUTCDay());
      if (isClosed || own < since || own > until) return [];
      return [[zones(zone).momentOf(own, from), zones(zone).momentOf(own, to)]];
    }),
  );
  return common(union(spans), [[clocks.momentOf(day, 0), clocks.momentOf(nextDay(day, 1), 0)]]);
}
