import { vaultSourceOf } from './exported.ts';
import type { Row, Say } from './telling.ts';
import type { Figures } from './truth-lab.ts';
import { GB, isIn, isRecounted, type TrueSlot, usedAt, type Vault } from './vault.ts';
import {
  compare,
  dayFigure,
  growths,
  type KnownStorage,
  newestAt,
  paidOf,
  priceNow,
  pricesAt,
  reservedOf,
  saysReserved,
  sizeTold,
  sumOf,
  type Told,
  type VaultDay,
  vaultDays,
} from './vault-oracle.ts';

/** What of an account's figures is neither true nor said to be unknown. */
export function vaultFaults(vault: Vault, { clocks, views }: Figures): readonly string[] {
  const faults: string[] = [];
  const say: Say = (text) => faults.push(text);
  const own = (rows: readonly Row[]) => rows.filter((row) => row['export_source'] === vaultSourceOf(vault));
  const days = vaultDays(vault, clocks);
  checkUsage(own(views.usage), { vault, days }, say);
  checkCost(own(views.cost), { vault, days }, say);
  checkTrend(own(views.trend), days, say);
  checkNews(own(views.news), days, say);
  return faults;
}

interface OfVault {
  readonly vault: Vault;
  readonly days: readonly VaultDay[];
}

const cellsOf = (row: Row) => (name: string) => row[name];

function checkUsage(rows: readonly Row[], of: OfVault, say: Say): void {
  const { days } = of;
  const newest = days.at(-1);
  const known = newest?.known ?? [];
  const wanted = sumOf(known.map(({ slots }) => Math.max(1, slots.length)));
  if (rows.length !== wanted) say(`${wanted} rows of backup_usage are true, and ${rows.length} are told`);
  for (const each of known) {
    const ofStorage = rows.filter((row) => row['storage_id'] === String(each.storage.id));
    for (const row of ofStorage)
      checkStorage(row, each, { ...of, say: (text) => say(`storage ${each.storage.id}: ${text}`) });
    for (const slot of each.slots) {
      const row = ofStorage.find((one) => String(one['slot_name']) === `B${slot.id}`);
      if (row === undefined) say(`slot ${slot.id} is not told`);
      else checkSlot(row, slot, each.slotsAt ?? 0, (text) => say(`slot ${slot.id}: ${text}`));
    }
  }
}

function checkSlot(row: Row, slot: TrueSlot, at: number, say: Say): void {
  const used: Told = isRecounted(slot, at) ? 'not known' : usedAt(slot, at);
  const size = sizeTold(slot, at);
  const known = (figure: (bytes: number) => number): Told =>
    used === 'not known' || size === 'not known' ? 'not known' : figure(used);
  const truths = {
    slot_size: size,
    slot_used: used,
    slot_used_share: known((bytes) => bytes / slot.size),
    slot_idle: known((bytes) => slot.size - bytes),
    // A slot that is counted again holds something.
    is_never_backed_up: Number(usedAt(slot, at) === 0),
  };
  compare(cellsOf(row), truths, say);
}

function checkStorage(
  row: Row,
  known: KnownStorage,
  { vault, days, say }: OfVault & { readonly say: Say },
): void {
  const { storage, at, slotsAt, used } = known;
  const newest = days.at(-1);
  const reserved = reservedOf(vault, known);
  // What is reserved now and what was used then have no difference that was ever true.
  const isOfOneRun = !saysReserved(vault, storage, at) || slotsAt === at;
  const expiry = storage.expiresAt;
  const truths = {
    ...{ storage_size: storage.size, storage_slots: known.count, storage_reserved: reserved },
    ...{ storage_used: used, storage_used_share: used === 'not known' ? used : used / storage.size },
    storage_idle:
      used === 'not known' || reserved === 'not known' || !isOfOneRun ? 'not known' : reserved - used,
    storage_locked: Number(isIn(storage.locks, at)),
    in_maintenance: Number(isIn(storage.maintains, at)),
    days_to_expiry:
      expiry === undefined ? 'not known' : (expiry - Math.max(at, newestAt(vault))) / 86_400_000,
  } as const;
  compare(cellsOf(row), truths, say);
  const read = row['slot'] === null ? at : (slotsAt ?? 0);
  const isOlder = read < (newest?.answered[0]?.at ?? Number.POSITIVE_INFINITY);
  if (row['is_carried'] !== isOlder)
    say(`is_carried is ${row['is_carried']}, and its slots are of ${new Date(read).toISOString()}`);
}

/** Each price per GB has a row for each storage, and another one alone. */
function checkCost(rows: readonly Row[], { vault, days }: OfVault, say: Say): void {
  const prices = pricesAt(vault) === undefined ? [] : vault.prices;
  const known = days.at(-1)?.known ?? [];
  const wanted = prices.reduce((sum, { isPerGb }) => sum + (isPerGb ? Math.max(1, known.length) : 1), 0);
  if (rows.length !== wanted) say(`${wanted} costs are true, and ${rows.length} are told`);
  for (const price of prices) {
    const own = rows.filter((row) => row['price_key'] === price.code && row['currency'] === price.currency);
    for (const row of own) {
      const of = (text: string) => say(`${price.code} of ${row['storage_id']}: ${text}`);
      const storage = known.find((each) => row['storage_id'] === String(each.storage.id));
      const paid = storage === undefined ? 'not known' : paidOf(vault, storage);
      const amount = priceNow(vault, price);
      const isKnown = paid !== 'not known' && price.isPerGb;
      const cost = isKnown ? (paid / GB) * amount : ('not known' as const);
      compare(cellsOf(row), { price: amount, cost }, of);
    }
  }
}

function checkTrend(rows: readonly Row[], days: readonly VaultDay[], say: Say): void {
  for (const day of days) {
    const row = rows.find((each) => each['export_date'] === day.date);
    const of = (text: string) => say(`${day.date}: ${text}`);
    if (row === undefined) of('no row of daily_trend');
    else
      for (const [column, figure] of [
        ['backup_slots', 'count'],
        ['backup_slots_size', 'reserved'],
        ['backup_used', 'used'],
        ['backup_used_least', 'least'],
        ['backup_used_most', 'most'],
      ] as const)
        checkSum(
          row,
          column,
          dayFigure(day, (each) => each[figure]),
          of,
        );
  }
}

/** Without a slot there is no figure, which is right for none. */
function checkSum(row: Row, column: string, truth: Told, say: Say): void {
  if (truth !== 0 || row[column] !== null) compare(cellsOf(row), { [column]: truth }, say);
}

function checkNews(rows: readonly Row[], days: readonly VaultDay[], say: Say): void {
  const wanted = growths(days);
  const told = rows.filter(({ news }) => news === 'storage grew');
  const keyOf = (row: Row) => `${row['days']} ${row['record_key']}`;
  for (const row of told) {
    const [since, now, before] = wanted.get(keyOf(row)) ?? [];
    if (row['since_date'] !== since || row['value'] !== now || row['before'] !== before)
      say(
        `${keyOf(row)} is told to have grown from ${row['before']} to ${row['value']} since ${row['since_date']}, and ${before} to ${now} since ${since} is true`,
      );
  }
  for (const key of wanted.keys())
    if (!told.some((row) => keyOf(row) === key)) say(`${key} has grown, and nobody says so`);
}
