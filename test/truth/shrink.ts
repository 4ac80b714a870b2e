import type { TruePlayer, World } from './world.ts';

/** The smallest world that is still at fault, one thing less at a time. */
export async function shrunk(world: World, isAtFault: (smaller: World) => Promise<boolean>): Promise<World> {
  let small = world;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smaller(small)) {
      if (!(await isAtFault(candidate))) continue;
      small = candidate;
      isSmaller = true;
      break;
    }
  }
  return small;
}

/** The worlds that have one thing less, the greatest things first. */
function* smaller(world: World): Generator<World> {
  const { players, runs } = world;
  if (players.length > 1) for (const rest of without(players)) yield { ...world, players: rest };
  for (const rest of without(runs)) yield { ...world, runs: rest };
  for (const [index, player] of players.entries())
    for (const less of smallerPlayers(player)) yield { ...world, players: players.with(index, less) };
  for (const [index, run] of runs.entries()) {
    if (run.denied.length > 0) yield { ...world, runs: runs.with(index, { ...run, denied: [] }) };
    if (run.queues?.length) yield { ...world, runs: runs.with(index, { ...run, queues: [] }) };
    if (run.how === 'refused') yield { ...world, runs: runs.with(index, { ...run, how: 'asked' }) };
  }
}

function* smallerPlayers(player: TruePlayer): Generator<TruePlayer> {
  const { screens, silences, movesOn, leavesOn, returnsOn, mark } = player;
  for (const rest of without(screens)) yield { ...player, screens: rest };
  for (const rest of without(silences)) yield { ...player, silences: rest };
  if (movesOn !== undefined) yield { ...player, movesOn: undefined };
  if (leavesOn !== undefined) yield { ...player, leavesOn: undefined };
  if (returnsOn !== undefined) yield { ...player, returnsOn: undefined };
  if (player.leavesLate === true) yield { ...player, leavesLate: false };
  if (mark !== undefined) yield { ...player, mark: undefined };
  for (const [index, screen] of screens.entries()) {
    for (const rest of without(screen.silences))
      yield { ...player, screens: screens.with(index, { ...screen, silences: rest }) };
    // Two at once, so that the others go the same way as before.
    for (let first = 0; first + 1 < screen.switches.length; first++)
      yield {
        ...player,
        screens: screens.with(index, { ...screen, switches: screen.switches.toSpliced(first, 2) }),
      };
  }
}

function without<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.map((_, index) => items.toSpliced(index, 1));
}
