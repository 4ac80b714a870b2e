import { playersOf } from '../fleet.ts';
import { nextDay } from '../local-time.ts';
import { sourceDays } from '../page-oracle.ts';
import { cityOf, isListed } from '../told.ts';
import { type Asked, grouped, type Oracle, type TrueRow } from './answer.ts';
import { historyOf } from './history.ts';

/** What is true of the answers about the past, by question. */
export const OVER_TIME: Readonly<Record<string, Oracle>> = {
  'How does today compare with a month ago?': (asked) => {
    const all = daysBySource(asked);
    const { newest } = asked;
    const dates = all.flatMap(({ days }) => days.map(({ date }) => date)).toSorted();
    const past = dates.findLast((date) => date <= nextDay(newest, -30));
    const columns = ['expected_players', 'expected_players_online', 'expected_screens_on', 'players_stuck'];
    return all.flatMap(({ source, days }) =>
      [past, newest].flatMap((date): readonly TrueRow[] => {
        if (date === undefined) return [];
        const day = days.find((each) => each.date === date);
        // A day whose runs left the source out says nothing of it.
        const cell = (name: string) =>
          day?.unsure.has(name) || (day !== undefined && day.figures[name] === undefined)
            ? 'any'
            : (day?.figures[name] ?? null);
        const names = [...columns, 'licenses_used', 'backup_used'];
        const figures = Object.fromEntries(names.map((name) => [name, cell(name)]));
        return [
          {
            mayLack: !days.some((each) => each.date <= date),
            cells: { export_source: source, export_date: date, ...figures },
          },
        ];
      }),
    );
  },

  'How did each city develop, of the players with a known state?': ({ fleets }) =>
    grouped(
      fleets.flatMap(({ world, days }) =>
        days.flatMap(({ date }, index) => {
          const until = days.slice(0, index + 1);
          const listed = until.findLast(({ at }) => at !== undefined)?.date ?? '';
          return playersOf(world, until).map((each) => ({
            ...each,
            date,
            city: cityOf(each.player, listed),
          }));
        }),
      ),
      ({ date, city }) => ({ export_date: date, city }),
      (group) => {
        const known = group.filter(({ state, isExpected }) => isExpected && state !== 'unknown');
        const online = known.filter(({ state }) => state === 'online').length;
        return { online_share: known.length === 0 ? null : online / known.length };
      },
    ),

  'How many players came and went, month by month?': ({ fleets }) =>
    fleets.flatMap(({ source, world, known }) =>
      grouped(
        known.filter(({ at }) => at !== undefined),
        ({ date }) => ({ month: date.slice(0, 7), export_source: source }),
        (group) => ({
          added: world.players.filter((player) => {
            const listed = known.filter(({ at }) => at !== undefined);
            const first = listed.findIndex(({ date }) => isListed(player, date));
            return first > 0 && group.some(({ date }) => date === listed[first]?.date);
          }).length,
          removed: world.players.filter((player) => {
            const gone = known.findIndex(({ at, date }) => at !== undefined && !isListed(player, date));
            const was = known.some(
              ({ at, date }, index) => index < gone && at !== undefined && isListed(player, date),
            );
            return was && group.some(({ date }) => date === known[gone]?.date);
          }).length,
        }),
      ),
    ),

  'What happened to one player?': ({ fleets, clocks }) => fleets.flatMap((fleet) => historyOf(fleet, clocks)),
};

/** Each source with its days. */
function daysBySource({ fleets, accounts, clocks }: Asked) {
  const exported = { worlds: fleets.map(({ world }) => world), vaults: accounts.map(({ vault }) => vault) };
  const sources = [...fleets, ...accounts].map(({ source }) => source);
  return sourceDays(exported, clocks).map((days, index) => ({ source: sources[index] ?? '', days }));
}
