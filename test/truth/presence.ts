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
  /** The last run before one that no longer listed it, after an answer about it. */
  readonly listedUntil: (seen: number) => number;
  /** Whether a run between two others did not list its player. */
  readonly wasAway: (from: number, at: number) => boolean;
  /** Whether its player is expected on a local day, as the last answer until then that lists it says. */
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
  const last = clocks.dayOf(asked.at(-1)?.at ?? 0);
  const isBack = reading.some(({ at }) => !wasAway(at, Number.POSITIVE_INFINITY));
  return {
    isThere: isListed(player, last) && isExpected(player, last) && isBack,
    listedUntil: (seen) => {
      const gone = asked.find((run) => run.at > seen && !listing.includes(run))?.at;
      return runs.findLast(({ at }) => gone === undefined || at < gone)?.at ?? seen;
    },
    wasAway,
    isExpectedOn: (day) => {
      const told = asked
        .map(({ at }) => clocks.dayOf(at))
        .findLast((on) => on <= day && isListed(player, on));
      return told === undefined || isExpected(player, told);
    },
  };
}
