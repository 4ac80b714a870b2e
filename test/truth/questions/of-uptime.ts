import { screensOf } from '../fleet.ts';
import { nextDay } from '../local-time.ts';
import { targetOf } from '../settings.ts';
import { cityOf, isListed } from '../told.ts';
import { type Asked, between, grouped, type Oracle, sum, type TrueRow } from './answer.ts';
import { countedOutagesOf, type Outage } from './outages.ts';
import { type Hours, hoursOfAll, total } from './screen-hours.ts';

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
            possible_error: known === 0 ? null : between(0, 1),
            target,
            open_known_hours: known,
            budget_left_hours: between(left - slack, left + slack),
            sampling_error_hours: known === 0 ? 'any' : between(0, slack),
          };
        },
        (group) => {
          const { known, hidden, left, all, allOn } = budgetOf(group, hasBern);
          if (known === 0) return [];
          return [
            { cell: 'availability', is: exactly(allOn / all), by: 'possible_error', hidden: hidden / all },
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
            hours_to_repair: isWatched
              ? ended.length === 0
                ? null
                : mean(({ toRepair }) => toRepair)
              : 'any',
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
  const all = sum(group.map(({ open }) => open?.all ?? 0));
  const allOn = sum(group.map(({ open }) => open?.allOn ?? 0));
  return { known, on, slack, hidden, target, all, allOn, left: (1 - target) * known - (known - on) };
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
          possible_error: known === 0 ? null : between(0, 1),
        };
      },
      (group) => {
        const { known, all, allOn, hidden } = total(group);
        if (known === 0) return [];
        return [{ cell: 'on_share', is: exactly(allOn / all), by: 'possible_error', hidden: hidden / all }];
      },
    ).map((row) => ({ ...row, mayLack: row.cells['known_hours'] === 0 })),
  );
}

const exactly = (is: number) => between(is, is);

const part = ({ from, to }: { readonly from: number; readonly to: number }, known: number) =>
  known === 0 ? null : between(from / known, to / known);

function mondayOf(day: string): string {
  return nextDay(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
