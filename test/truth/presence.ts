import type { Clocks } from './local-time.ts';
import { isExpected, isListed, isListedAt } from './told.ts';
import type { TruePlayer, TrueScreen, World } from './world.ts';

interface OfDevice {
  readonly clocks: Clocks;
  readonly player: TruePlayer;
  readonly screen: TrueScreen | undefined;
}

/** When runs list a player or screen, whatever they know of its state. */
export interface Presence {
  /** Whether the newest answered run lists it, and it is expected. */
  readonly isThere: boolean;
  /** The last run after one, or that one, of a day that has a row of it before it was removed. */
  readonly listedUntil: (seen: number) => number;
  /** Whether a run between two others did not list its player. */
  readonly wasAway: (from: number, at: number) => boolean;
  /** Whether its player is expected on a local day, as far as the answers until then say. */
  readonly isExpectedOn: (day: string) => boolean;
}

export function presenceOf(
  world: World,
  runs: World['runs'],
  { clocks, player, screen }: OfDevice,
): Presence {
  const asked = runs.filter(({ how }) => how === 'asked');
  const listing = asked.filter(({ at }) => isListedAt(world, player, at, clocks));
  const reading = listing.filter(({ denied }) => !(screen && denied.includes(player.id)));
  const wasAway = (from: number, at: number) =>
    asked.some((run) => from < run.at && run.at < at && !listing.includes(run));
  // Screens of a player that is back have no row until a run has read them.
  const hasRow = (run: World['runs'][number]) => {
    const read = reading.findLast(({ at }) => at <= run.at);
    return read !== undefined && isListed(player, clocks.dayOf(run.at)) && !wasAway(read.at, run.at);
  };
  const last = clocks.dayOf(asked.at(-1)?.at ?? 0);
  const isBack = reading.some(({ at }) => !wasAway(at, Number.POSITIVE_INFINITY));
  return {
    isThere: isListed(player, last) && isExpected(player, last) && isBack,
    listedUntil: (seen) =>
      runs.findLast((run) => {
        const told = asked.findLast(({ at }) => clocks.dayOf(at) <= clocks.dayOf(run.at));
        const isRow = told !== undefined && listing.includes(told) && hasRow(told);
        return run.at > seen && isRow && !wasAway(seen, Math.max(run.at, told.at));
      })?.at ?? seen,
    wasAway,
    isExpectedOn: (day) => {
      const told = asked.findLast(({ at }) => clocks.dayOf(at) <= day);
      if (told === undefined) return true;
      const toldOn = clocks.dayOf(told.at);
      return !isListed(player, toldOn) || isExpected(player, toldOn);
    },
  };
}
