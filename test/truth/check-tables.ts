import { type Exported, vaultSourceOf } from './exported.ts';
import { daysOf, playersOf, screensOf } from './fleet.ts';
import { goodsOf, toldLeft } from './goods.ts';
import type { Clocks } from './local-time.ts';
import { pendingOf } from './queues.ts';
import { NO_HOURS } from './settings.ts';
import type { Say } from './telling.ts';
import type { Figures, Page } from './truth-lab.ts';
import { GB, usedAt, type Vault } from './vault.ts';
import { compare, type KnownStorage, paidOf, priceNow, pricesAt, sumOf, vaultDays } from './vault-oracle.ts';

type Cells = ReadonlyMap<string, unknown>;

/** The page's lists of storages and prices have what is true of each account, or nothing where nobody can know. */
export function checkTables(
  { tables }: Page['data'],
  { vaults = [] }: Exported,
  clocks: Clocks,
  say: Say,
): void {
  const rowsOf = (table: string, vault: Vault): readonly Cells[] => {
    const { columns = [], rows = [] } = tables.find(({ id }) => id === table) ?? {};
    const all = rows.map((row): Cells => new Map(columns.map(({ label }, index) => [label, row[index]])));
    return all.filter((row) => row.get('Source') === vaultSourceOf(vault));
  };
  for (const vault of vaults) {
    const own = (text: string) => say(`v${vault.seed}: ${text}`);
    const known = vaultDays(vault, clocks).at(-1)?.known ?? [];
    checkStorages(rowsOf('storages', vault), known, own);
    if (pricesAt(vault) === undefined) continue;
    const paid = sumOf(known.map((each) => paidOf(vault, each)));
    const rows = rowsOf('cost', vault);
    if (rows.length !== vault.prices.length) own(`${rows.length} prices are told`);
    for (const price of vault.prices) {
      const row = rows.find(
        (each) => each.get('Price') === `${price.code} price` && each.get('Currency') === price.currency,
      );
      const isKnown = paid !== 'not known' && price.isPerGb && known.length > 0;
      const [amount, cellOf] = [priceNow(vault, price), (label: string) => row?.get(label)];
      compare(cellOf, { Cost: isKnown ? (paid / GB) * amount : 'not known', Amount: amount }, own);
      if ((row?.get('Period') ?? null) !== (vault.period ?? null))
        own(`the period is ${row?.get('Period')}, and ${vault.period} in truth`);
    }
  }
}

function checkStorages(rows: readonly Cells[], known: readonly KnownStorage[], say: Say): void {
  if (rows.length !== known.length) say(`${known.length} storages are true, and ${rows.length} are told`);
  for (const { storage, slots, slotsAt, used, count } of known) {
    const row = rows.find((each) => each.get('Storage') === `S${storage.id}`);
    const own = (text: string) => say(`storage ${storage.id}: ${text}`);
    const never = slots.filter((slot) => usedAt(slot, slotsAt ?? 0) === 0).length;
    const truths = {
      ...{ Used: used, 'Used share': used === 'not known' ? used : used / storage.size, Slots: count },
      'Never backed up': count === 'not known' ? count : never,
    };
    compare((label) => row?.get(label), truths, own);
  }
}

/** The lists of a fleet have a row for each of what they are about, with its true figure. */
export function checkFleetLists(
  { tables }: Page['data'],
  { worlds = [] }: Exported,
  { clocks, views }: Figures,
  say: Say,
): void {
  const fleets = worlds.map((world) => {
    const days = daysOf(world, clocks);
    const read = days.findLast(({ at }) => at !== undefined);
    const pending = pendingOf(world, days);
    const players = playersOf(world, days).filter(({ isExpected }) => isExpected);
    const left = goodsOf(world).licenses.map((each) => toldLeft(world, each, read?.at ?? 0) ?? Number.NaN);
    return {
      players: players.filter(({ state }) => ['offline', 'never seen'].includes(state)),
      screens: screensOf(world, days).filter(
        (each) => each.isExpected && ['off', 'stale'].includes(each.state),
      ),
      queues: players.map(({ player: { id } }) => pending.filter((each) => each.player === id).length),
      left: read === undefined ? [] : left,
    };
  });
  const missed = views.inHours
    .map((row) => Number(row['missed_hours_day']))
    .filter((hours) => hours > NO_HOURS);
  const hoursOf = ({ hours }: { readonly hours: number }) => hours;
  for (const [id, label, figures] of [
    ['players', 'Not seen for', fleets.flatMap(({ players }) => players.map(hoursOf))],
    ['screens', 'For', fleets.flatMap(({ screens }) => screens.map(hoursOf))],
    ['transfers', 'Pending', fleets.flatMap(({ queues }) => queues.filter((queue) => queue > 0))],
    ['licenses', 'Left', fleets.flatMap(({ left }) => left)],
    ['hours', 'Missed in a day', missed],
  ] as const) {
    const { columns = [], rows = [] } = tables.find((table) => table.id === id) ?? {};
    const place = columns.findIndex((column) => column.label === label);
    const told = rows.map((row) => shown(row[place])).toSorted();
    const wanted = figures.map(shown).toSorted();
    if (told.join() !== wanted.join())
      say(`${label} of ${id}: ${told.join()}, and ${wanted.join()} in truth`);
  }
}

/** A time without a beginning is shown as nothing. */
const shown = (figure: unknown) =>
  typeof figure === 'number' && Number.isFinite(figure) ? figure.toFixed(1) : '';
