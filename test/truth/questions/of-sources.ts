import type { Clocks } from '../local-time.ts';
import { hasReported, heardAt, isAccessTold, isExpected, isListed, isLoud, silencesOf } from '../told.ts';
import { isThere, PRICE_LIST } from '../vault.ts';
import type { Span, World, WorldRun } from '../world.ts';
import { between, grouped, type Oracle, type TrueRow } from './answer.ts';

/** What is true of the answers about the export itself, by question. */
export const OF_SOURCES: Readonly<Record<string, Oracle>> = {
  'How fresh and how complete is each source?': ({ fleets, accounts, clocks }) => [
    ...fleets.map(({ source, world }) => {
      const asked = (run: WorldRun) =>
        world.players.filter((player) => isListed(player, clocks.dayOf(run.at)));
      return healthRow(source, world.runs, {
        // Players, licences, groups; screens and transfers of each player.
        listings: (run) => (run.how === 'refused' ? 3 : 3 + 2 * asked(run).length),
        denied: (run) =>
          run.how === 'refused'
            ? 3
            : asked(run).flatMap(({ id }) =>
                [...run.denied, ...(run.queues ?? [])].filter((each) => each === id),
              ).length,
      });
    }),
    ...accounts.map(({ source, vault }) => {
      const there = ({ at }: WorldRun) => vault.storages.filter((storage) => isThere(storage, at));
      return healthRow(source, vault.runs, {
        listings: (run) => (run.how === 'refused' ? 2 : 2 + there(run).length),
        denied: (run) =>
          run.how === 'refused'
            ? 2
            : there(run).filter(({ id }) => run.denied.includes(id)).length +
              Number(run.denied.includes(PRICE_LIST)),
      });
    }),
  ],

  'Which values did not fit their column?': ({ fleets, clocks }) =>
    fleets.flatMap(({ source, world }) => {
      const newest = world.runs.findLast(({ how }) => how !== 'left out');
      if (newest?.how !== 'asked') return [];
      const misfits = misfitsOf(world, newest, clocks);
      return grouped(
        misfits,
        ({ table_name, column_name, raw_value, reason }) => ({
          ...{ export_source: source, export_date: clocks.dayOf(newest.at) },
          ...{ table_name, column_name, raw_value, reason },
        }),
        (group) => ({
          values_in_all: between(group.filter(({ isAsked }) => isAsked).length, group.length),
        }),
      ).map((row) => ({ ...row, mayLack: isNone(row.cells['values_in_all']) }));
    }),
};

const isNone = (count: unknown) => JSON.stringify(count).startsWith('{"from":0,');

/**
 * Words where others have numbers, and the year 1 of what never reported. A player that is not expected need not be
 * asked for its screens.
 */
function misfitsOf(world: World, run: WorldRun, clocks: Clocks) {
  const date = clocks.dayOf(run.at);
  const never = { raw_value: '0001-01-01T00:00:00Z', reason: 'sentinel' };
  return world.players
    .filter((player) => isListed(player, date))
    .flatMap((player) => {
      const isNever = (silences: readonly Span[]) => !hasReported(heardAt(silences, run.at));
      const ofPlayer = [
        ...(isLoud(world, run, player) ? [{ column_name: 'volume', raw_value: 'max', reason: 'type' }] : []),
        ...(isNever(silencesOf(player)) && isAccessTold(player, run.at)
          ? [{ column_name: 'last_access', ...never }]
          : []),
      ];
      const screens = run.denied.includes(player.id) ? [] : player.screens;
      const ofScreens = screens
        .filter((screen) => isNever(silencesOf(player, screen)))
        .flatMap(() =>
          ['last_update', 'last_status_change'].map((column_name) => ({ column_name, ...never })),
        );
      return [
        ...ofPlayer.map((each) => ({ table_name: 'players', isAsked: true, ...each })),
        ...ofScreens.map((each) => ({
          ...{ table_name: 'screens', isAsked: isExpected(player, date) },
          ...each,
        })),
      ];
    });
}

interface Counts {
  readonly listings: (run: WorldRun) => number;
  readonly denied: (run: WorldRun) => number;
}

function healthRow(source: string, runs: readonly WorldRun[], { listings, denied }: Counts): TrueRow {
  const called = runs.filter(({ how }) => how !== 'left out');
  const [last, answered] = [called.at(-1), called.findLast(({ how }) => how === 'asked')];
  if (last === undefined) return { cells: {}, mayLack: true };
  const lacks = denied(last);
  const partial = lacks === 0 ? 'complete' : 'partial';
  return {
    cells: {
      export_source: source,
      status: last.how === 'refused' ? 'failed' : partial,
      observed_at: answered === undefined ? null : { time: answered.at },
      coverage: 1 - lacks / listings(last),
      not_answered: lacks,
    },
  };
}
