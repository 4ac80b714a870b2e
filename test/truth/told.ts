import { common, union } from './spans.ts';
import type { Span, TruePlayer, TrueScreen, World, WorldRun } from './world.ts';

/** A device reports every ten minutes. */
const REPORT_MS = 600_000;
const FAR: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** When a screen reported nothing: by itself, or for its player did not. */
export function silencesOf(player: TruePlayer, screen?: TrueScreen): readonly Span[] {
  return union([...player.silences, ...(screen?.silences ?? [])]);
}

/** When a screen was off, by its own switch. */
export function offSpans({ startsOn, switches }: TrueScreen): readonly Span[] {
  const edges = startsOn ? switches : [FAR[0], ...switches];
  return edges.flatMap((from, index): readonly Span[] =>
    index % 2 === 0 ? [[from, edges[index + 1] ?? FAR[1]]] : [],
  );
}

/** When the API heard from a device last. */
export function heardAt(silences: readonly Span[], at: number): number {
  const silence = silences.find(([from, to]) => from <= at && at < to);
  if (silence !== undefined) return silence[0];
  const back = silences.filter(([, to]) => to <= at).map(([, to]) => to);
  return Math.max(at - REPORT_MS, ...back);
}

/** Whether the run lists the player. */
export function isListed({ leavesOn }: TruePlayer, localDay: string): boolean {
  return leavesOn === undefined || localDay < leavesOn;
}

export function cityOf({ cities, movesOn }: TruePlayer, localDay: string): string {
  return movesOn !== undefined && localDay >= movesOn ? cities[1] : cities[0];
}

/** The records of the players that a run lists. */
export function playerRecords(world: World, run: WorldRun, localDay: string): readonly object[] {
  return world.players
    .filter((player) => isListed(player, localDay))
    .map((player) => ({
      Id: player.id,
      Name: `P${player.id}`,
      City: cityOf(player, localDay),
      LastAccess: iso(heardAt(silencesOf(player), run.at)),
    }));
}

/** The records of a player's screens. */
export function screenRecords(player: TruePlayer, run: WorldRun): readonly object[] {
  return player.screens.map((screen) => {
    const heard = heardAt(silencesOf(player, screen), run.at);
    const switched = screen.switches.filter((at) => at <= heard).at(-1);
    return {
      Id: screen.id,
      IsOn: common(offSpans(screen), [[heard, heard + 1]]).length === 0,
      LastUpdate: iso(heard),
      ...(screen.isDated && { LastStatusChange: iso(switched ?? Date.parse('2026-10-01T00:00:00Z')) }),
    };
  });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
