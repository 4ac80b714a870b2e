import { screensOf } from '../fleet.ts';
import { type Clocks, clocksOf, nextDay } from '../local-time.ts';
import { openOn, type Truth } from '../oracle.ts';
import { groupsOn, placeOn, targetOf } from '../settings.ts';
import { common, hoursOf, union } from '../spans.ts';
import { cityOf, isListed } from '../told.ts';
import type { Span } from '../world.ts';
import { type Asked, between, grouped, type Oracle, sum, type TrueRow } from './answer.ts';
import { countedOutagesOf, type Outage } from './outages.ts';

/** Hours of a screen on a local day. */
interface Hours {
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
  /** Undefined for a place without opening hours. */
  readonly open: { readonly known: number; readonly on: number } | undefined;
}

/** What is true of the answers about time on and off, by question. */
export const OF_UPTIME: Readonly<Record<string, Oracle>> = {
  'How much of the time were screens on, week by week?': (asked) =>
    shares(asked, ({ day }) => ({ week: mondayOf(day) })),

  'And for each city, month by month?': (asked) =>
    shares(asked, ({ day, city }) => ({ month: `${day.slice(0, 7)}-01`, city })),

  'Were screens on in opening hours, and how much of the error budget is left?': ({ fleets, clocks }) => {
    const hasBern = fleets.some(({ world, known }) =>
      known.some(({ at, date }) =>
        world.players.some(
          (each) => at !== undefined && isListed(each, date) && cityOf(each, date) === 'Bern',
        ),
      ),
    );
    return fleets.flatMap(({ source, screens }) =>
      grouped(
        hoursOfAll(screens, clocks).filter(({ open }) => open !== undefined),
        ({ day, place = '' }) => ({ export_source: source, place, month: `${day.slice(0, 7)}-01` }),
        (group) => {
          const { known, on, slack, target, left } = budgetOf(group, hasBern);
          return {
            availability: part(between(on - slack, on + slack), known),
            sampling_error: part(between(0, slack), known),
            target,
            open_known_hours: known,
            budget_left_hours: between(left - slack, left + slack),
            sampling_error_hours: known === 0 ? 'any' : between(0, slack),
          };
        },
        (group) => {
          const { known, on, hidden, left } = budgetOf(group, hasBern);
          if (known === 0) return [];
          return [
            { cell: 'availability', is: exactly(on / known), by: 'sampling_error', hidden: hidden / known },
            { cell: 'budget_left_hours', is: exactly(left), by: 'sampling_error_hours', hidden },
          ];
        },
      ).map((row) => ({ ...row, mayLack: row.cells['availability'] === null })),
    );
  },

  'How long until a screen is back, and how long until the next outage?': ({ fleets, clocks }) =>
    fleets.flatMap((fleet): readonly TrueRow[] => {
      const { source, screens } = fleet;
      const outages = screens.flatMap((truth) => {
        const firstDay = clocks.momentOf(clocks.dayOf(truth.seen[0] ?? 0), 0);
        return countedOutagesOf(fleet, truth, clocks).filter(({ span: [from] }) => from >= firstDay);
      });
      const there = new Set(
        screensOf(fleet.world, fleet.days)
          .filter((each) => each.isExpected)
          .map(({ key }) => key),
      );
      const ended = outages.filter(({ key, hasEnded }) => hasEnded && there.has(key));
      const isExact = screens.every(({ hidden, blurred }) => hidden.length + blurred.length === 0);
      const { on, known } = total(hoursOfAll(screens, clocks));
      if (outages.length === 0) return [];
      if (!isExact)
        return [
          {
            mayLack: true,
            cells: {
              export_source: source,
              outages: 'any',
              hours_to_repair: 'any',
              sampling_error_hours: 'any',
              hours_between_failures: 'any',
            },
          },
        ];
      // Of outages with unknown time nobody says how long they took.
      const isWatched = ended.every(({ least, most }) => most - least < 0.01);
      const mean = (of: (outage: Outage) => number) => sum(ended.map(of)) / ended.length;
      return [
        {
          cells: {
            export_source: source,
            outages: outages.length,
            hours_to_repair: isWatched ? (ended.length === 0 ? null : mean(({ most }) => most)) : 'any',
            sampling_error_hours: isWatched ? (ended.length === 0 ? null : 0) : 'any',
            hours_between_failures:
              known === 0 ? null : between((on - 0.01) / outages.length, (on + 0.01) / outages.length),
          },
        },
      ];
    }),

  'Which screens flap?': ({ fleets, clocks, newest }) => {
    const since = clocks.momentOf(nextDay(newest, 1), 0) - 7 * 86_400_000;
    return fleets.flatMap((fleet) =>
      fleet.screens.flatMap((truth): readonly TrueRow[] => {
        const own = countedOutagesOf(fleet, truth, clocks).filter(({ span: [from] }) => from >= since);
        const isExact = truth.hidden.length + truth.blurred.length === 0;
        const key = { export_source: fleet.source, screen_key: `${fleet.source}/${truth.key}` };
        if (!isExact)
          return [
            { cells: { ...key, outages: 'any', hours: 'any', sampling_error_hours: 'any' }, mayLack: true },
          ];
        if (own.length < 3) return [];
        const [least, most] = [sum(own.map((each) => each.least)), sum(own.map((each) => each.most))];
        return [
          {
            cells: {
              ...key,
              outages: own.length,
              hours: between(least - 0.01, most + 0.01),
              sampling_error_hours: 0,
            },
          },
        ];
      }),
    );
  },
};

/** The open hours of a place, and how many of them its screens may still be off. */
function budgetOf(group: readonly Hours[], hasBern: boolean) {
  const { slack, hidden } = total(group);
  const known = sum(group.map(({ open }) => open?.known ?? 0));
  const on = sum(group.map(({ open }) => open?.on ?? 0));
  const target = targetOf(Math.min(...group.map((each) => each.group)), group[0]?.place ?? '', hasBern);
  return { known, on, slack, hidden, target, left: (1 - target) * known - (known - on) };
}

/** The share of known hours in which the screens of each source were on, by a key of their days. */
function shares(
  { fleets, clocks }: Asked,
  key: (hours: Hours) => Readonly<Record<string, string>>,
): readonly TrueRow[] {
  return fleets.flatMap(({ source, screens }) =>
    grouped(
      hoursOfAll(screens, clocks),
      (hours) => ({ export_source: source, ...key(hours) }),
      (group) => {
        const { known, on, slack } = total(group);
        return {
          known_hours: known,
          on_share: part(between(on - slack, on + slack), known),
          sampling_error: part(between(0, slack), known),
        };
      },
      (group) => {
        const { known, on, hidden } = total(group);
        if (known === 0) return [];
        return [{ cell: 'on_share', is: exactly(on / known), by: 'sampling_error', hidden: hidden / known }];
      },
    ).map((row) => ({ ...row, mayLack: row.cells['known_hours'] === 0 })),
  );
}

function hoursOfAll(screens: readonly Truth[], clocks: Clocks): readonly Hours[] {
  return screens.flatMap((truth) => {
    const [first, last] = [truth.seen[0], truth.newest];
    if (first === undefined) return [];
    const found: Hours[] = [];
    for (let day = clocks.dayOf(first); day <= clocks.dayOf(last); day = nextDay(day, 1)) {
      const span: Span = [clocks.momentOf(day, 0), clocks.momentOf(nextDay(day, 1), 0)];
      const watched = common(truth.watched, [span]);
      const out = common(truth.out, watched);
      const [open, place] = [openOn(truth.told, day, clocks, clocksOf), placeOn(truth.told, day)];
      const ofOpen = open && { known: hoursOf(common(open, watched)), out: hoursOf(common(open, out)) };
      found.push({
        ...{
          day,
          city: cityOf(truth.told, day),
          place,
          group: groupsOn(truth.told, day).indexOf(place),
          known: hoursOf(watched),
          on: hoursOf(watched) - hoursOf(out),
        },
        slack: hoursOf(common(union([...truth.hidden, ...truth.blurred]), watched)) + 0.002,
        hidden: hoursOf(common(union(truth.hidden), watched)) + 0.002,
        open: ofOpen && { known: ofOpen.known, on: ofOpen.known - ofOpen.out },
      });
    }
    return found;
  });
}

const total = (group: readonly Hours[]) => ({
  known: sum(group.map(({ known }) => known)),
  on: sum(group.map(({ on }) => on)),
  slack: sum(group.map(({ slack }) => slack)),
  hidden: sum(group.map(({ hidden }) => hidden)),
});

const exactly = (is: number) => between(is, is);

const part = ({ from, to }: { readonly from: number; readonly to: number }, known: number) =>
  known === 0 ? null : between(from / known, to / known);

function mondayOf(day: string): string {
  return nextDay(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
