import type { Clocks } from './local-time.ts';
import { union } from './spans.ts';
import { DAY_MS, type Span, type TruePlayer, type TrueScreen, type World, type WorldRun } from './world.ts';

/** A device reports every ten minutes. */
const REPORT_MS = 600_000;
const FAR: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
/** When screens switched that have not switched since. */
const FOREVER = '9999';
const SET_UP = Date.parse('2026-10-01T00:00:00Z');

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

export const isOffAt = (screen: TrueScreen, at: number): boolean =>
  offSpans(screen).some(([from, to]) => from <= at && at < to);

/** False for the time of a last report that never was. */
export const hasReported = (heard: number): boolean => heard > FAR[0];

/** When a screen switched last, as it says in a report of that time: at the latest in its first one. */
export function switchedAt({ switches }: TrueScreen, silences: readonly Span[], heard: number): number {
  const [from, to] = silences[0] ?? [SET_UP, SET_UP];
  return switches.findLast((at) => at <= heard) ?? Math.max(SET_UP, hasReported(from) ? SET_UP : to);
}

/** When the API heard from a device last, in the farthest past if never. */
export function heardAt(silences: readonly Span[], at: number): number {
  const silence = silences.find(([from, to]) => from <= at && at < to);
  if (silence !== undefined) return silence[0];
  const back = silences.filter(([, to]) => to <= at).map(([, to]) => to);
  return Math.max(at - REPORT_MS, ...back);
}

/** Whether the run lists the player. */
export function isListed(
  { comesOn = '', leavesOn = FOREVER, returnsOn = FOREVER }: TruePlayer,
  localDay: string,
): boolean {
  const isAway = localDay >= leavesOn && localDay < returnsOn;
  return localDay >= comesOn && !isAway;
}

/** Whether a run of a day lists the player, that may leave before the last answered run of the day. */
export function isListedAt({ runs }: World, player: TruePlayer, at: number, clocks: Clocks): boolean {
  const day = clocks.dayOf(at);
  const { leavesLate, leavesOn, mark, comesOn = '' } = player;
  if (leavesLate !== true || day !== leavesOn || mark !== undefined || comesOn >= day)
    return isListed(player, day);
  return runs.some((run) => run.how === 'asked' && run.at > at && clocks.dayOf(run.at) === day);
}

/** Whether the run says when it saw the player last. */
export const isAccessTold = (player: TruePlayer, at: number): boolean =>
  isAccessKnown(player, at) && player.unsaid?.includes(at) !== true;

/** Whether the run says of any player when it saw it last. */
export const isAccessKnown = ({ accessIn = FAR }: TruePlayer, at: number): boolean => isWithin(accessIn, at);

const isWithin = ([from, to]: Span, at: number): boolean => from <= at && at < to;

/** Whether the run says that the screen is on or off. */
export const isStateTold = (screen: TrueScreen, at: number): boolean =>
  isStateKnown(screen, at) && screen.unsaid?.includes(at) !== true;

/** Whether the run says when the screen switched. */
export const isDatedAt = ({ isDated, datedIn = FAR }: TrueScreen, at: number): boolean =>
  isDated && isWithin(datedIn, at);

/** Whether the run says of any screen that it is on or off. */
const isStateKnown = ({ stateIn = FAR }: TrueScreen, at: number): boolean => isWithin(stateIn, at);

/** Whether the run says when a player, or a screen of it, reported last. */
export function isReportTold(player: TruePlayer, at: number, screen?: TrueScreen): boolean {
  if (screen === undefined) return isAccessTold(player, at);
  return player.speaksForScreens !== true || !isReporting(player, at) || isAccessTold(player, at);
}

/** Whether the API has begun to say when screens reported, or else their player. Before, its word on a screen counts. */
export const isReporting = ({ speaksForScreens, accessIn = FAR }: TruePlayer, at: number): boolean =>
  speaksForScreens !== true || at >= accessIn[0];

/** Whether nothing that the run says of the player means that it need not run. */
export function isExpected({ mark }: TruePlayer, localDay: string): boolean {
  return mark === undefined || localDay < mark.from || localDay >= mark.until;
}

/** A player with what of it may be another from some day on. */
export type Moved = Pick<TruePlayer, 'cities' | 'customs' | 'movesOn'>;

export function cityOf({ cities, movesOn }: Moved, localDay: string): string {
  return movesOn !== undefined && localDay >= movesOn ? cities[1] : cities[0];
}

export function customOf({ customs, movesOn }: Moved, localDay: string): string | undefined {
  return movesOn !== undefined && localDay >= movesOn ? customs[1] : customs[0];
}

/** A player that moves when a run lists it elsewhere. */
export function toldOf(player: TruePlayer, runs: World['runs'], clocks: Clocks): Moved {
  const listed = runs
    .filter(({ how, at }) => how === 'asked' && isListed(player, clocks.dayOf(at)))
    .map(({ at }) => clocks.dayOf(at));
  return { ...player, movesOn: listed.find((day) => day >= (player.movesOn ?? '9999')) };
}

/** Whether the run says a word where others say numbers: in some worlds, on some days, and never at first. */
export function isLoud({ seed, runs }: World, { at }: WorldRun, { id }: TruePlayer): boolean {
  const isKnown = runs.some((each) => each.how === 'asked' && each.at < at);
  return isKnown && seed % 3 === 0 && (id + Math.floor(at / DAY_MS)) % 3 === 0;
}

/** The records of the players that a run lists. */
export function playerRecords(world: World, run: WorldRun, clocks: Clocks): readonly object[] {
  const localDay = clocks.dayOf(run.at);
  return world.players
    .filter((player) => isListedAt(world, player, run.at, clocks))
    .map((player) => ({
      Id: player.id,
      Name: `P${player.id}`,
      City: cityOf(player, localDay),
      ...(customOf(player, localDay) !== undefined && { CustomId: customOf(player, localDay) }),
      LicenseType: player.id % 2 === 0 ? 'Player' : 'Editor',
      ...(isAccessKnown(player, run.at) && {
        LastAccess: isAccessTold(player, run.at) ? iso(heardAt(silencesOf(player), run.at)) : null,
      }),
      Volume: isLoud(world, run, player) ? 'max' : 10,
      ...(!isExpected(player, localDay) && player.mark?.as),
    }));
}

/** The records of a player's screens. */
export function screenRecords(player: TruePlayer, { at }: WorldRun): readonly object[] {
  return player.screens.map((screen) => screenRecord(player, screen, at));
}

/** The record of a screen in a run. */
export function screenRecord(player: TruePlayer, screen: TrueScreen, at: number): object {
  const silences = silencesOf(player, screen);
  const heard = heardAt(silences, at);
  return {
    Id: screen.id,
    ...(isStateKnown(screen, at) && { IsOn: isStateTold(screen, at) ? !isOffAt(screen, heard) : null }),
    ...(player.speaksForScreens !== true && { LastUpdate: iso(heard) }),
    ...(isDatedAt(screen, at) && {
      LastStatusChange: iso(hasReported(heard) ? switchedAt(screen, silences, heard) : heard),
    }),
  };
}

/** The API says never with the year 1. */
function iso(at: number): string {
  return hasReported(at) ? new Date(at).toISOString() : '0001-01-01T00:00:00Z';
}
