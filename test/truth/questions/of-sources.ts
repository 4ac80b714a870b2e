import { isListed, isLoud } from '../told.ts';
import { isThere, PRICE_LIST } from '../vault.ts';
import type { WorldRun } from '../world.ts';
import type { Oracle, TrueRow } from './answer.ts';

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
          run.how === 'refused' ? 3 : asked(run).filter(({ id }) => run.denied.includes(id)).length,
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

  'Which values did not fit their column?': ({ fleets, clocks }) => {
    const words = fleets.flatMap(({ world }) =>
      world.runs
        .filter(({ how }) => how === 'asked')
        .map((run) => {
          const date = clocks.dayOf(run.at);
          const loud = world.players.filter((player) => isListed(player, date) && isLoud(world, run, player));
          return { date, count: loud.length };
        })
        .filter(({ count }) => count > 0),
    );
    const newest = words
      .map(({ date }) => date)
      .toSorted()
      .at(-1);
    const count = words.filter(({ date }) => date === newest).reduce((all, each) => all + each.count, 0);
    const cells = { table_name: 'players', column_name: 'volume', raw_value: 'max', reason: 'type' };
    return newest === undefined ? [] : [{ cells: { ...cells, values_in_all: count } }];
  },
};

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
