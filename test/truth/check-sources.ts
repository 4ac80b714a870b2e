import type { Exported } from './exported.ts';
import { daysOf, playersOf, screensOf } from './fleet.ts';
import type { Clocks } from './local-time.ts';
import type { SourceDay } from './page-oracle.ts';
import { EPSILON, type Say } from './telling.ts';
import type { Page } from './truth-lab.ts';
import { isRecounted, usedAt, type Vault } from './vault.ts';
import { vaultDays } from './vault-oracle.ts';

type Cell = number | null | undefined;

const COMPARED = [
  'expected_players_online',
  'expected_screens_on',
  'players_stuck',
  'licenses_used',
  'backup_used',
] as const;

/** The columns of the list of sources: a figure, or its part of another one. */
const COLUMNS: readonly (readonly [label: string, figure: string, whole?: string])[] = [
  ['Players expected', 'expected_players'],
  ['Online', 'expected_players_online', 'expected_players'],
  ['Screens expected', 'expected_screens'],
  ['On', 'expected_screens_on', 'expected_screens'],
  ['Stale', 'expected_screens_stale', 'expected_screens'],
  ['Pending transfers', 'pending_transfers'],
  ['Licences used', 'licenses_used', 'licenses_total'],
  ['Backup used', 'backup_used', 'backup_slots_size'],
];

/** Two days are compared only where the same sources say the figure on both. */
export function checkLikeForLike(
  { trend }: Page['data'],
  sources: readonly (readonly SourceDay[])[],
  say: Say,
): void {
  for (const key of COMPARED) {
    const firstWith = new Map<number, string>();
    for (const [index, date] of trend.dates.entries()) {
      const same = trend.sources[key][index] ?? 0;
      const who = sayersOf(sources, date, key);
      if (trend.series[key][index] === null || who === undefined) continue;
      const before = firstWith.get(same) ?? who;
      if (before !== who) say(`${date}: ${key} is compared between the sources ${before} and ${who}`);
      firstWith.set(same, before);
    }
  }
}

/** The newest day and the one before are compared by the devices that are expected and known on both. */
export function checkCompared(
  { compared }: Page['data'],
  { worlds = [], vaults = [] }: Exported,
  clocks: Clocks,
  say: Say,
): void {
  const runs = [...worlds, ...vaults].flatMap((each) => each.runs);
  const asked = new Set(runs.flatMap(({ how, at }) => (how === 'left out' ? [] : [clocks.dayOf(at)])));
  const [since, now] = [...asked].toSorted().slice(-2);
  if (compared?.since !== (now === undefined ? undefined : since))
    say(`it compares with ${compared?.since}, and the day before is ${since}`);
  for (const [kind, devicesOf, good] of [
    ['players', playersOf, 'online'],
    ['screens', screensOf, 'on'],
  ] as const) {
    const is = { count: 0, now: 0, before: 0 };
    for (const world of worlds) {
      const days = daysOf(world, clocks);
      const on = (date: string | undefined) => {
        const index = days.findIndex((day) => day.date === date);
        const known = devicesOf(world, days.slice(0, index + 1)).filter(
          ({ isExpected, state }) => isExpected && state !== 'unknown',
        );
        return new Map(known.map(({ key, state }) => [key, state === good]));
      };
      const [before, after] = [on(since), on(now)];
      const both = [...after.keys()].filter((key) => before.has(key));
      is.count += both.length;
      is.now += both.filter((key) => after.get(key)).length;
      is.before += both.filter((key) => before.get(key)).length;
    }
    const told = compared?.[kind] ?? { count: 0, now: 0, before: 0 };
    if (now !== undefined && JSON.stringify(told) !== JSON.stringify(is))
      say(`${kind} of both days are ${JSON.stringify(told)}, and ${JSON.stringify(is)} in truth`);
  }
}

/** The numbers of the sources that say a figure on a day, undefined where that is not sure. */
function sayersOf(
  sources: readonly (readonly SourceDay[])[],
  date: string,
  figure: string,
): string | undefined {
  const last = sources.map((days) => days.findLast((day) => day.date <= date));
  if (last.some((day) => day?.unsure.has(figure))) return undefined;
  return last.flatMap((day, index) => ((day?.figures[figure] ?? null) === null ? [] : [index])).join();
}

/** Each source is in the list with what is true of its newest day. */
export function checkComparison(
  { comparison }: Page['data'],
  byName: ReadonlyMap<string, readonly SourceDay[]>,
  say: Say,
): void {
  const place = (label: string) => comparison.columns.findIndex((column) => column.label === label);
  for (const [name, days] of byName) {
    const newest = days.at(-1);
    const row = comparison.rows.find((each) => each[place('Source')] === name);
    if ((row === undefined) !== (newest === undefined)) say(`the list of sources has ${row} for ${name}`);
    for (const [label, figure, whole] of row === undefined ? [] : COLUMNS) {
      const told = row?.[place(label)] ?? null;
      const [is, of] = [newest?.figures[figure], whole && newest?.figures[whole]];
      const { [`${whole}_unknown`]: unknown } = newest?.figures ?? {};
      const mayBeNull = newest?.unsure.has(figure) || (whole !== undefined && unknown === of);
      if (mayBeNull && told === null) continue;
      if (!isSame(told, whole === undefined ? is : shareOf(is, of)))
        say(`${label} of ${name} is ${told}, and ${is} of ${of} in truth`);
    }
  }
}

function shareOf(part: Cell, whole: Cell | ''): Cell {
  return typeof part === 'number' && typeof whole === 'number' && whole > 0 ? part / whole : null;
}

/** An unknown figure is null; of a source that has none of a kind, 0 says the same. */
function isSame(told: unknown, is: Cell): boolean {
  if (is === null || is === undefined) return told === null || (is === undefined && told === 0);
  return told !== null && Math.abs(Number(told) - is) <= EPSILON;
}

/** The slots that a run of the newest day measured, and what is known of their use. */
export function checkSlots(
  { slots: told }: Page['data'],
  vaults: readonly Vault[],
  clocks: Clocks,
  say: Say,
): void {
  const is = { count: 0, used: 0, unknown: 0 };
  for (const vault of vaults) {
    const { known = [], answered = [] } = vaultDays(vault, clocks).at(-1) ?? {};
    for (const { slots, slotsAt = 0 } of known) {
      if (slotsAt < (answered[0]?.at ?? Number.POSITIVE_INFINITY)) continue;
      for (const slot of slots) {
        const isUnknown = isRecounted(slot, slotsAt);
        is.count += 1;
        is.used += isUnknown ? 0 : usedAt(slot, slotsAt);
        is.unknown += isUnknown ? 1 : 0;
      }
    }
  }
  if (JSON.stringify(told) !== JSON.stringify(is))
    say(`slots are ${JSON.stringify(told)}, and ${JSON.stringify(is)} in truth`);
}
