import type { Clocks } from './local-time.ts';
import {
  hasReported,
  heardAt,
  isAccessKnown,
  isAccessTold,
  isDatedAt,
  isExpected,
  isListed,
  isOffAt,
  isReporting,
  isReportTold,
  isStateTold,
  silencesOf,
  switchedAt,
} from './told.ts';
import { HOUR_MS, type TruePlayer, type TrueScreen, type World } from './world.ts';

const SILENT_HOURS = 8;

export interface Day {
  /** A local day with a run of the source. */
  readonly date: string;
  /** Its last run with answers; undefined where none had any. */
  readonly at: number | undefined;
  /** True if no run was answered every listing: then a 0 is told as not known. */
  readonly isPartial: boolean;
  /** True if also its last run was refused all: then nobody knows whom an earlier one was answered. */
  readonly isUntold: boolean;
  /** Its runs with answers. */
  readonly runs: World['runs'];
}

/** The local days on which a run called the source. */
export function daysOf({ runs }: World, clocks: Clocks): readonly Day[] {
  const asked = runs.filter(({ how }) => how !== 'left out');
  return [...Map.groupBy(asked, ({ at }) => clocks.dayOf(at))].map(([date, ofDay]) => {
    const answered = ofDay.filter(({ how }) => how === 'asked');
    const isPartial = !answered.some(({ denied, queues = [] }) => denied.length + queues.length === 0);
    const isUntold = isPartial && ofDay.at(-1)?.how !== 'asked';
    return { date, at: answered.at(-1)?.at, isPartial, isUntold, runs: answered };
  });
}

/** A player or a screen at the end of a day. */
export interface Device {
  /** Such as 1 for a player, and 1/2 for a screen of it. */
  readonly key: string;
  readonly player: TruePlayer;
  /** unknown: no run of the day read it, or a screen never reported. */
  readonly state: 'online' | 'offline' | 'never seen' | 'on' | 'off' | 'stale' | 'unknown';
  /** Of a player since it was seen, of a screen since its state began, as far as the API tells. */
  readonly hours: number;
  readonly isExpected: boolean;
}

/** The players of the last listing of these days. */
export function playersOf({ players }: Pick<World, 'players'>, days: readonly Day[]): readonly Device[] {
  const [last, at] = [days.findLast((day) => day.at !== undefined), days.at(-1)?.at];
  return players
    .filter((player) => last !== undefined && isListed(player, last.date))
    .map((player) => {
      const seenAt = (run: number) =>
        isAccessTold(player, run) ? heardAt(silencesOf(player), run) : Number.NEGATIVE_INFINITY;
      const hours = at === undefined ? Number.NaN : (at - seenAt(at)) / HOUR_MS;
      const seen =
        hours === Number.POSITIVE_INFINITY ? 'never seen' : hours > SILENT_HOURS ? 'offline' : 'online';
      const own = { key: `${player.id}`, player, isExpected: isExpected(player, last?.date ?? '') };
      const isKnown = at !== undefined && isAccessKnown(player, at);
      return { ...own, hours: isKnown ? hours : Number.NaN, state: isKnown ? seen : 'unknown' };
    });
}

/** The screens of these players that a run of these days read. */
export function screensOf(world: Pick<World, 'players'>, days: readonly Day[]): readonly Device[] {
  return playersOf(world, days).flatMap((owner) => {
    if (readAt(owner.player, days) === undefined) return [];
    const at = readAt(owner.player, days.slice(-1));
    return owner.player.screens.map((screen) => {
      const now =
        at === undefined
          ? { state: 'unknown' as const, hours: Number.NaN }
          : screenAt(owner.player, screen, { at, toldAt: days.at(-1)?.at ?? at });
      return { ...owner, ...now, key: `${owner.key}/${screen.id}` };
    });
  });
}

/** The last run that read the screens of a player. */
export function readAt(player: TruePlayer, days: readonly Day[]): number | undefined {
  return daysWith(player, days)
    .flatMap(({ runs }) => runs)
    .findLast(({ denied }) => !denied.includes(player.id))?.at;
}

/** The last run that read the transfers of a player. */
export function queueReadAt(player: TruePlayer, days: readonly Day[]): number | undefined {
  return daysWith(player, days)
    .flatMap(({ runs }) => runs)
    .findLast(({ queues = [] }) => !queues.includes(player.id))?.at;
}

/** The days with answers that list a player, since its last return. */
export function daysWith(player: TruePlayer, days: readonly Day[]): readonly Day[] {
  const known = days.slice(0, 1 + days.findLastIndex(({ date }) => isListed(player, date)));
  const away = known.findLastIndex(({ at, date }) => at !== undefined && !isListed(player, date));
  return known.slice(away + 1).filter(({ at }) => at !== undefined);
}

/** The state of a screen in a run. A later one may tell of its player. */
function screenAt(
  player: TruePlayer,
  screen: TrueScreen,
  { at, toldAt }: { readonly at: number; readonly toldAt: number },
): Pick<Device, 'state' | 'hours'> {
  const silences = silencesOf(player, screen);
  const heard = heardAt(silences, at);
  const isByWord = !isReporting(player, at);
  const by = player.speaksForScreens === true && !isByWord ? toldAt : at;
  const reported = isByWord ? at : heardAt(silences, by);
  const since =
    isDatedAt(screen, at) && hasReported(heard) ? switchedAt(screen, silences, heard) : Number.NaN;
  const hours = (at - since) / HOUR_MS;
  if (!hasReported(reported) || !isReportTold(player, by, screen))
    return { state: 'unknown', hours: isStateTold(screen, at) ? Number.NaN : hours };
  const silent = (at - reported) / HOUR_MS;
  if (silent > SILENT_HOURS) return { state: 'stale', hours: silent };
  const state = isOffAt(screen, heard) ? 'off' : 'on';
  return { state: isStateTold(screen, at) ? state : 'unknown', hours };
}
