import { stuckQueues } from './check-queues.ts';
import type { Exported } from './exported.ts';
import { type Day, type Device, daysOf, playersOf, readAt, screensOf } from './fleet.ts';
import { goodsOf, toldLeft } from './goods.ts';
import { type Clocks, clocksOf, daysBetween } from './local-time.ts';
import { NO_HOURS, openOn, placeOn } from './settings.ts';
import { common, hoursOf, union } from './spans.ts';
import { cityOf, customOf, heardAt, isListed, isListedAt, isOffAt, isStateTold, silencesOf } from './told.ts';
import { isIn, isRecounted, isSizeTold, isThere, PRICE_LIST, usedAt } from './vault.ts';
import { newestAt, vaultDays } from './vault-oracle.ts';
import { DAY_MS, HOUR_MS, type TruePlayer, type World } from './world.ts';

/** What needs attention by its id: the figure that each has, the worst first. */
export type TrueFindings = ReadonlyMap<string, readonly number[]>;

/** A figure that nobody knows, after all others. */
export const NOT_TOLD = Number.NEGATIVE_INFINITY;

/** What is true of the newest day of each source. */
export function findingsOf({ worlds = [], vaults = [] }: Exported, clocks: Clocks): TrueFindings {
  const found = new Map<string, number[]>();
  const add = (id: string, figure: number) => found.set(id, [...(found.get(id) ?? []), figure]);
  for (const world of worlds) {
    addFleet(world, clocks, add);
    const lacks = ({ denied, queues = [], at }: World['runs'][number]) =>
      world.players.some(
        (player) => [...denied, ...queues].includes(player.id) && isListedAt(world, player, at, clocks),
      );
    if (isIncomplete(world.runs, lacks)) add('incomplete-sources', 0);
  }
  for (const vault of vaults) {
    const { known = [], answered = [] } = vaultDays(vault, clocks).at(-1) ?? {};
    const first = answered[0]?.at ?? Number.POSITIVE_INFINITY;
    for (const { storage, slots, slotsAt = 0, at } of known) {
      if (storage.expiresAt !== undefined && storage.expiresAt - Math.max(at, newestAt(vault)) <= 30 * DAY_MS)
        add('storages-expiring', storage.expiresAt);
      if (isIn(storage.locks, at) || isIn(storage.maintains, at)) add('storages-locked', storage.size);
      // What slots are today, an earlier day cannot say.
      if (slotsAt < first) continue;
      for (const slot of slots) {
        const used = usedAt(slot, slotsAt);
        const isSizeKnown = isSizeTold(slot, slotsAt);
        if (isSizeKnown && !isRecounted(slot, slotsAt) && used / slot.size >= 0.9)
          add('full-slots', used / slot.size);
        if (used === 0) add('slots-never-backed-up', isSizeKnown ? slot.size : NOT_TOLD);
      }
    }
    const lacks = ({ denied, at }: World['runs'][number]) =>
      denied.includes(PRICE_LIST) ||
      vault.storages.some((each) => denied.includes(each.id) && isThere(each, at));
    if (isIncomplete(vault.runs, lacks)) add('incomplete-sources', 0);
  }
  const isSoonest = (id: string) => id === 'storages-expiring';
  for (const [id, figures] of found)
    found.set(
      id,
      figures.toSorted((a, b) => (isSoonest(id) ? a - b : b - a)),
    );
  return found;
}

/** Whether the newest run of a source lacked an answer. */
function isIncomplete(runs: World['runs'], lacks: (run: World['runs'][number]) => boolean): boolean {
  const last = runs.findLast(({ how }) => how !== 'left out');
  return last !== undefined && (last.how === 'refused' || lacks(last));
}

function addFleet(world: World, clocks: Clocks, add: (id: string, figure: number) => void): void {
  const days = daysOf(world, clocks);
  const read = days.findLast(({ at }) => at !== undefined)?.at;
  if (read !== undefined)
    for (const each of goodsOf(world).licenses)
      if (toldLeft(world, each, read) === 0) add('licences-running-out', 0);
  for (const { hours } of stuckQueues(world, days)) add('stuck-transfers', hours);
  const states = new Map(playersOf(world, days).map((each) => [each.key, each]));
  const asked = days.at(-1)?.at ?? 0;
  for (const { player, state, hours, isExpected } of states.values()) {
    const wasOpen =
      state === 'offline' && isExpected && wasOutWhileOpen(player, { hours, at: asked }, clocks);
    if (wasOpen) add('offline-players', hours);
    if (state === 'never seen' && isExpected) add('players-never-seen', 0);
  }
  for (const device of screensOf(world, days)) {
    const { key, player, state, hours, isExpected } = device;
    const at = readAt(player, days) ?? 0;
    if (!isExpected) continue;
    // A player of which nobody says when it was seen is not called offline.
    const ofPlayer = states.get(key.split('/')[0] ?? '')?.state;
    if (state === 'stale' && (ofPlayer === 'online' || ofPlayer === 'unknown'))
      if (wasOutWhileOpen(player, { hours, at }, clocks)) add('stale-screens', hours);
    if (state !== 'off') continue;
    const off = Number.isNaN(hours) ? seenOff(device, days) : hours;
    if (off >= 24 && wasOutWhileOpen(player, { hours: off, at }, clocks)) add('screens-off', off);
  }
}

/** Whether its place was open while it was out, as far as anybody knows opening hours of it, or it is long out. */
export function wasOutWhileOpen(
  player: TruePlayer,
  {
    hours,
    at,
    until = at,
  }: { readonly hours: number; readonly at: number; readonly until?: number | undefined },
  clocks: Clocks,
): boolean {
  const [from, today] = [at - hours * HOUR_MS, clocks.dayOf(at)];
  // A time that nobody knows is no number.
  if (placeOn(player, today) === undefined || !(hours <= 31 * 24)) return true;
  const [city, custom] = [cityOf(player, today), customOf(player, today)];
  const asNow = { cities: [city, city], customs: [custom, custom], movesOn: undefined } as const;
  const open = daysBetween(clocks.dayOf(from), today).flatMap(
    (day) => openOn(asNow, day, clocks, clocksOf) ?? [],
  );
  return hoursOf(common(union(open), [[from, until]])) > NO_HOURS;
}

/** Hours between the first and the last of the newest runs in a row that read a screen as off, without runs that tell no state. */
function seenOff({ key, player }: Device, days: readonly Day[]): number {
  const screen = player.screens.find(({ id }) => key === `${player.id}/${id}`);
  const silences = silencesOf(player, screen);
  const listed = days.filter(({ date }) => isListed(player, date));
  const reads = listed
    .flatMap(({ runs }) => runs)
    .filter(
      ({ at, denied }) => !denied.includes(player.id) && screen !== undefined && isStateTold(screen, at),
    );
  const isOff = ({ at }: World['runs'][number]) =>
    screen !== undefined && isOffAt(screen, heardAt(silences, at));
  const before = reads.findLastIndex((run) => !isOff(run));
  return ((reads.at(-1)?.at ?? 0) - (reads[before + 1]?.at ?? 0)) / HOUR_MS;
}
