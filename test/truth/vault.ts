import { type Dice, dice, hash } from '#simulator/dice.ts';
import { isUnsaid } from './unsaid.ts';
import { FIRST_DAY, HOUR_MS, type Span, sinceOf, type WorldRun } from './world.ts';

const DAYS = 9;
const MOST = Number.POSITIVE_INFINITY;
export const GB = 1_000_000_000;
/** In `denied`: the price list. */
export const PRICE_LIST = 0;

export interface TrueSlot {
  readonly id: number;
  readonly size: number;
  /** When it is there. */
  readonly lasts: Span;
  /** Bytes in use from a moment on. The first is from the beginning. */
  readonly uses: readonly (readonly [at: number, bytes: number])[];
  /** When the provider counts it again, and tells too little without the time of a check. */
  readonly recounts: readonly Span[];
  /** Runs whose answer leaves out its size. */
  readonly unsaid?: readonly number[];
}

export interface TrueStorage {
  readonly id: number;
  readonly size: number;
  /** Bytes that it reserves beyond its slots, where the API tells what it reserves. */
  readonly spare: number;
  /** Runs whose answer leaves out what it reserves. */
  readonly unsaid: readonly number[];
  readonly lasts: Span;
  /** Undefined = the API does not say. */
  readonly expiresAt: number | undefined;
  /** True: it costs nothing. */
  readonly isFree: boolean;
  readonly locks: readonly Span[];
  readonly maintains: readonly Span[];
  readonly slots: readonly TrueSlot[];
}

export interface TruePrice {
  readonly code: string;
  readonly currency: 'CHF' | 'EUR';
  /** Before and after it changes. */
  readonly prices: readonly [number, number];
  readonly changesAt: number;
  readonly isPerGb: boolean;
}

/** What is true of one account of a backup provider. Its runs deny slots of storages, by their ids. */
export interface Vault {
  readonly seed: number;
  readonly runs: readonly WorldRun[];
  readonly storages: readonly TrueStorage[];
  readonly prices: readonly TruePrice[];
  /** The price list's billing period; undefined = the API does not say. */
  readonly period: string | undefined;
  /** Whether the price list has earlier and later prices too, with the time since which each holds. */
  readonly announces: boolean;
  /** Since when the API tells the bytes that a storage reserves for its slots. Undefined = never. */
  readonly reservedSince: number | undefined;
  /** Since when the API tells when it counted a slot last. Before, nothing is counted again. Undefined = never. */
  readonly checksSince: number | undefined;
}

/** The account of a seed, that has a part in these runs. */
export function vaultOf(seed: number, times: readonly number[], days = DAYS): Vault {
  const roll = { ...dice(hash(seed, 4)), days };
  const more = dice(hash(seed, 7));
  const rare = { ...dice(hash(seed, 6)), days };
  const checksSince = roll.chance(0.85) ? (sinceOf(seed, 43, days) ?? -MOST) : undefined;
  const storages = Array.from({ length: 1 + roll.below(3) }, (_, index): TrueStorage => {
    const lasts = lasting(roll);
    const slots = Array.from({ length: roll.below(4) }, (_, slot) =>
      slotOf(roll, { id: (index + 1) * 10 + slot, checksSince }),
    ).map((slot) => ({
      ...firstUsed(slot, seed),
      unsaid: times.filter((at) => isUnsaid('size of a slot', seed, slot.id, at)),
    }));
    return {
      ...{
        id: index + 1,
        lasts,
        slots,
        spare: more.pick([0, 0, 50 * GB]),
        unsaid: times.filter((at) => isUnsaid('what a storage reserves', seed, index, at)),
        size: 300 * GB + roll.below(100) * GB,
      },
      expiresAt: roll.chance(0.8) ? moment(roll, -20 * 24, 80 * 24) : undefined,
      isFree: dice(hash(seed, 9 + index)).chance(0.25),
      ...{ locks: spansOf(rare), maintains: spansOf(rare) },
    };
  });
  const runs = times.map((at): WorldRun => {
    const how = roll.pick([
      ...Array.from({ length: 6 }, () => 'asked' as const),
      'refused',
      'left out',
    ] as const);
    return { at, how, denied: [PRICE_LIST, 1, 2, 3].filter(() => roll.chance(0.12)) };
  });
  const prices = ['standard', 'archive', 'setup'].slice(0, roll.below(4)).map((code): TruePrice => {
    const price = () => (1 + roll.below(300)) / 10_000;
    return {
      ...{ code, currency: 'CHF', prices: [price(), price()], changesAt: moment(roll, 0, 400) },
      isPerGb: code !== 'setup',
    };
  });
  const period = more.pick(['month', 'month', 'year', undefined]);
  const announces = more.chance(0.4);
  // The same prices in another currency.
  if (more.chance(0.4))
    prices.push(
      ...prices.map(({ prices: [first, next], ...each }): TruePrice => {
        return { ...each, currency: 'EUR', prices: [first / 2, next / 2] };
      }),
    );
  const reservedSince = roll.chance(0.5) ? (sinceOf(seed, 44, days) ?? -MOST) : undefined;
  return { seed, runs, storages, prices, period, announces, reservedSince, checksSince };
}

type Roll = Dice & { readonly days: number };

function slotOf(
  roll: Roll,
  { id, checksSince }: { readonly id: number; readonly checksSince: number | undefined },
): TrueSlot {
  const size = roll.pick([50, 100]) * GB;
  const isNeverUsed = roll.chance(0.15);
  const part = () => Math.floor(size * (0.05 + 0.95 * roll.next()));
  const uses = Array.from({ length: 1 + roll.below(5) }, (_, index): readonly [number, number] => [
    index === 0 ? -MOST : moment(roll, 0, roll.days * 24),
    part(),
  ]);
  const recounts = Array.from({ length: checksSince === undefined ? 0 : roll.below(3) }, (): Span => {
    const from = Math.max(moment(roll, -24, roll.days * 24), checksSince ?? 0);
    return [from, from + (1 + roll.below(48)) * HOUR_MS];
  });
  return {
    ...{ id, size, lasts: lasting(roll) },
    uses: isNeverUsed ? [[-MOST, 0]] : uses.toSorted(([a], [b]) => a - b),
    recounts: isNeverUsed ? [] : recounts,
  };
}

/** Some slots hold nothing before their first backup. */
function firstUsed(slot: TrueSlot, seed: number): TrueSlot {
  const [[from], ...others] = [slot.uses[0] ?? [-MOST], ...slot.uses.slice(1)];
  const isLate = others.length > 0 && dice(hash(seed, 45 + slot.id)).chance(0.3);
  return isLate ? { ...slot, uses: [[from, 0], ...others] } : slot;
}

/** A time in a few of the days, now and then. */
function spansOf(roll: Roll): readonly Span[] {
  const from = moment(roll, 0, roll.days * 24);
  return roll.chance(0.3) ? [[from, roll.pick([MOST, from + 72 * HOUR_MS])]] : [];
}

/** Always, or from some moment on, or up to one. */
function lasting(roll: Roll): Span {
  const at = moment(roll, 0, roll.days * 24);
  return roll.pick([
    [-MOST, MOST],
    [-MOST, MOST],
    [-MOST, at],
    [at, MOST],
  ] as const);
}

/** Hours from the first day on, in whole minutes. */
const moment = (roll: Roll, from: number, to: number) =>
  FIRST_DAY + (from * 60 + roll.below((to - from) * 60)) * 60_000;

export const isThere = ({ lasts: [from, to] }: { readonly lasts: Span }, at: number): boolean =>
  from <= at && at < to;

export const usedAt = ({ uses }: TrueSlot, at: number): number =>
  uses.findLast(([from]) => from <= at)?.[1] ?? 0;

export const isSizeTold = ({ unsaid }: TrueSlot, at: number): boolean => unsaid?.includes(at) !== true;

/** A slot that holds nothing has nothing to count. */
export const isRecounted = (slot: TrueSlot, at: number): boolean =>
  usedAt(slot, at) > 0 && isIn(slot.recounts, at);

export const isIn = (spans: readonly Span[], at: number): boolean =>
  spans.some(([from, to]) => from <= at && at < to);

export const priceAt = ({ prices, changesAt }: TruePrice, at: number): number =>
  prices[at < changesAt ? 0 : 1];

/** The slots of a storage at that moment. */
export const slotsAt = ({ slots }: TrueStorage, at: number): readonly TrueSlot[] =>
  slots.filter((slot) => isThere(slot, at));

/** The bytes that a storage reserves, by its own record. */
export const reservedAt = (storage: TrueStorage, at: number): number =>
  slotsAt(storage, at).reduce((sum, { size }) => sum + size, storage.spare);

const seconds = (at: number) => Math.floor(at / 1000);

/** What the API tells at that moment of storages, of one's slots and of prices. */
export function storageRecords({ storages, reservedSince = MOST }: Vault, at: number): readonly object[] {
  return storages
    .filter((each) => isThere(each, at))
    .map((storage) => ({
      ...{ id: storage.id, customer_name: `S${storage.id}`, size: storage.size },
      ...(storage.expiresAt !== undefined && { expired_at: seconds(storage.expiresAt) }),
      ...{ locked: isIn(storage.locks, at), maintenance: isIn(storage.maintains, at) },
      // Either flag says it.
      ...{ is_free: storage.isFree && storage.id !== 2, is_zero_price: storage.isFree && storage.id === 2 },
      ...(at >= reservedSince && {
        storage_reserved: storage.unsaid.includes(at) ? null : reservedAt(storage, at),
      }),
    }));
}

export function slotRecords(
  { checksSince = MOST }: Vault,
  storage: TrueStorage,
  at: number,
): readonly object[] {
  return slotsAt(storage, at).map((slot) => {
    const [used, isLow] = [usedAt(slot, at), isRecounted(slot, at)];
    return {
      ...{ id: slot.id, customer_name: `B${slot.id}`, size: isSizeTold(slot, at) ? slot.size : null },
      storage_used: isLow ? Math.floor(used / 3) : used,
      ...(at >= checksSince && { usage_last_check: isLow || used === 0 ? null : seconds(at - HOUR_MS) }),
    };
  });
}

export function priceRecords({ prices, period, announces }: Vault, at: number): readonly object[] {
  return prices.flatMap((each) => {
    const [first, next] = each.prices;
    const record = (price: number) => ({
      ...{ code: each.code, name: `${each.code} price`, price },
      ...{ unit: each.isPerGb ? 'gb' : 'account', currency: each.currency },
      ...(period !== undefined && { periodicity: period }),
    });
    if (!announces) return [record(priceAt(each, at))];
    return [record(first), { ...record(next), valid_from: new Date(each.changesAt).toISOString() }];
  });
}
