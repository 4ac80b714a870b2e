import { daysOf } from './check-goods.ts';
import { goodsOf, leftAt } from './goods.ts';
import type { Clocks } from './local-time.ts';
import { heardAt, isListed, offSpans, silencesOf } from './told.ts';
import type { Exported } from './truth-lab.ts';
import { isRecounted, isThere, PRICE_LIST, usedAt } from './vault.ts';
import { vaultDays } from './vault-oracle.ts';
import { HOUR_MS, type TruePlayer, type TrueScreen, type World } from './world.ts';

const SILENT_MS = 8 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

/** What needs attention by its id: the figure that each has, the worst first. */
export type TrueFindings = ReadonlyMap<string, readonly number[]>;

/** What is true of the newest day of each source. */
export function findingsOf({ worlds = [], vaults = [] }: Exported, clocks: Clocks): TrueFindings {
  const found = new Map<string, number[]>();
  const add = (id: string, figure: number) => found.set(id, [...(found.get(id) ?? []), figure]);
  for (const world of worlds) {
    addFleet(world, clocks, add);
    const lacks = ({ denied, at }: World['runs'][number]) =>
      world.players.some((player) => denied.includes(player.id) && isListed(player, clocks.dayOf(at)));
    if (isIncomplete(world.runs, lacks)) add('incomplete-sources', 0);
  }
  for (const vault of vaults) {
    for (const { storage, slots, slotsAt = 0, at } of vaultDays(vault, clocks).at(-1)?.known ?? []) {
      if (storage.expiresAt !== undefined && storage.expiresAt - at <= 30 * DAY_MS)
        add('storages-expiring', storage.expiresAt);
      for (const slot of slots) {
        const used = usedAt(slot, slotsAt);
        if (!isRecounted(slot, slotsAt) && used / slot.size >= 0.9) add('full-slots', used / slot.size);
        if (used === 0) add('slots-never-backed-up', slot.size);
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
    for (const each of goodsOf(world).licenses) if (leftAt(each, read) === 0) add('licences-running-out', 0);
  const { at, runs = [], date = '' } = days.at(-1) ?? {};
  if (at === undefined) return;
  for (const player of world.players.filter((each) => isListed(each, date))) {
    const silence = at - heardAt(silencesOf(player), at);
    if (silence > SILENT_MS) add('offline-players', silence / HOUR_MS);
    const seen = runs.findLast(({ denied }) => !denied.includes(player.id))?.at;
    if (seen === undefined) continue;
    for (const screen of player.screens) {
      const { state, hours } = screenAt(player, screen, seen);
      if (state === 'stale' && silence <= SILENT_MS) add('stale-screens', hours);
      if (state === 'off' && screen.isDated && hours >= 24) add('screens-off', hours);
    }
  }
}

/** The state of a screen in a run, and how long it has lasted as far as the API tells. */
export function screenAt(player: TruePlayer, screen: TrueScreen, at: number) {
  const heard = heardAt(silencesOf(player, screen), at);
  if (at - heard > SILENT_MS) return { state: 'stale', hours: (at - heard) / HOUR_MS };
  const isOff = offSpans(screen).some(([from, to]) => from <= heard && heard < to);
  const since = screen.switches.findLast((each) => each <= heard) ?? Date.parse('2026-10-01T00:00:00Z');
  return { state: isOff ? 'off' : 'on', hours: (at - since) / HOUR_MS };
}
