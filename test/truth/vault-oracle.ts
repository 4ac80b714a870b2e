import type { Clocks } from './local-time.ts';
import {
  isRecounted,
  isSizeTold,
  isThere,
  PRICE_LIST,
  priceAt,
  reservedAt,
  slotsAt,
  type TruePrice,
  type TrueSlot,
  type TrueStorage,
  usedAt,
  type Vault,
} from './vault.ts';

/** A number, or why nobody can know it. */
export type Told = number | 'not known';

/** A storage of a source's newest answered listing, and what was read of its slots. */
export interface KnownStorage {
  readonly storage: TrueStorage;
  /** When the storage was read. */
  readonly at: number;
  /** When its slots were read last; undefined = never. */
  readonly slotsAt: number | undefined;
  /** Those that were read then. */
  readonly slots: readonly TrueSlot[];
  readonly count: Told;
  readonly reserved: Told;
  readonly used: Told;
  /** The bytes of slots that are counted, and with all that the others may hold. */
  readonly least: Told;
  readonly most: Told;
  /** How many slots are counted. */
  readonly counted: Told;
}

/** A local day on which a run asked the source. */
export interface VaultDay {
  readonly date: string;
  /** Its runs that were answered, in their order. */
  readonly answered: Vault['runs'];
  /** Whether its last run was. */
  readonly isAnsweredLast: boolean;
  /** What is known at its end, from all days up to it. */
  readonly known: readonly KnownStorage[];
}

/** The days of a source, with what its runs could know. */
export function vaultDays({ storages, runs }: Vault, clocks: Clocks): readonly VaultDay[] {
  const called = runs.filter(({ how }) => how !== 'left out');
  return [...Map.groupBy(called, ({ at }) => clocks.dayOf(at))].map(([date, ofDay]) => {
    const last = ofDay.at(-1)?.at ?? 0;
    const answered = called.filter(({ how, at }) => how === 'asked' && at <= last);
    return {
      date,
      answered: answered.filter(({ at }) => clocks.dayOf(at) === date),
      isAnsweredLast: ofDay.at(-1)?.how === 'asked',
      known: knownOf(storages, answered, last),
    };
  });
}

function knownOf(
  storages: readonly TrueStorage[],
  answered: Vault['runs'],
  lastCall: number,
): readonly KnownStorage[] {
  const at = answered.at(-1)?.at;
  if (at === undefined) return [];
  return storages
    .filter((storage) => isThere(storage, at))
    .map((storage) => {
      const read = answered.findLast(
        (run) => isThere(storage, run.at) && !run.denied.includes(storage.id),
      )?.at;
      // Of a listing without slots nothing is kept but its outcome, which is that of the last run.
      const isKept = read === lastCall || (read !== undefined && slotsAt(storage, read).length > 0);
      return {
        storage,
        at,
        slotsAt: isKept ? read : undefined,
        ...sumsOf(storage, isKept ? read : undefined),
      };
    });
}

export const sizeTold = (slot: TrueSlot, at: number): Told =>
  isSizeTold(slot, at) ? slot.size : 'not known';

const UNKNOWN = {
  count: 'not known',
  reserved: 'not known',
  used: 'not known',
  least: 'not known',
  most: 'not known',
  counted: 'not known',
} as const;

function sumsOf(storage: TrueStorage, at: number | undefined) {
  if (at === undefined) return { ...UNKNOWN, slots: [] } as const;
  const slots = slotsAt(storage, at);
  const counted = slots.filter((slot) => !isRecounted(slot, at));
  const least = counted.reduce((sum, slot) => sum + usedAt(slot, at), 0);
  const others = sumOf(slots.filter((slot) => !counted.includes(slot)).map((slot) => sizeTold(slot, at)));
  return {
    slots,
    count: slots.length,
    reserved: sumOf(slots.map((slot) => sizeTold(slot, at))),
    used: counted.length < slots.length ? 'not known' : least,
    least,
    counted: counted.length,
    most: others === 'not known' ? others : least + others,
  } as const;
}

/** Not known if one is not. */
export function sumOf(figures: readonly Told[]): Told {
  return figures.reduce<Told>(
    (sum, each) => (sum === 'not known' || each === 'not known' ? 'not known' : sum + each),
    0,
  );
}

/** Whether a storage's own record of that time says what it reserves. */
export const saysReserved = (vault: Vault, { unsaid }: TrueStorage, at: number): boolean =>
  vault.reservedSince !== undefined && at >= vault.reservedSince && !unsaid.includes(at);

/** The bytes that a storage reserves and that cost something. */
export function paidOf(vault: Vault, known: KnownStorage): Told {
  return known.storage.isFree ? 0 : reservedOf(vault, known);
}

/** The bytes that a storage reserves, by its own record or by its slots. */
export function reservedOf(vault: Vault, { storage, at, reserved }: KnownStorage): Told {
  return saysReserved(vault, storage, at) ? reservedAt(storage, at) : reserved;
}

/** A figure of a day's storages; not known if the slots of one were not read on that day. */
export function dayFigure({ known, answered }: VaultDay, figure: (storage: KnownStorage) => Told): Told {
  const first = answered[0]?.at;
  if (first === undefined) return 'not known';
  return sumOf(known.map((each) => ((each.slotsAt ?? 0) < first ? 'not known' : figure(each))));
}

/** When the price list was read last. */
export function pricesAt({ runs }: Vault): number | undefined {
  return runs.findLast(({ how, denied }) => how === 'asked' && !denied.includes(PRICE_LIST))?.at;
}

export const newestAt = ({ runs }: Vault): number =>
  Math.max(...runs.filter(({ how }) => how !== 'left out').map(({ at }) => at));

/** The price of now, as the list that was read last tells it. */
export function priceNow(vault: Vault, price: TruePrice): number {
  const readAt = pricesAt(vault) ?? 0;
  return priceAt(price, vault.announces ? Math.max(readAt, newestAt(vault)) : readAt);
}

/** By days and storage: the use of both days, where both are known and it has grown by a tenth. */
export function growths(
  days: readonly VaultDay[],
): ReadonlyMap<string, readonly [since: string, now: number, before: number]> {
  const found = new Map<string, readonly [string, number, number]>();
  const newest = days.at(-1);
  for (const span of [1, 7, 30]) {
    const then = days.findLast(
      ({ date }) => Date.parse(date) <= Date.parse(newest?.date ?? '') - span * 86_400_000,
    );
    if (newest === undefined || then === undefined) continue;
    for (const { storage } of newest.known) {
      const of = (day: VaultDay) => {
        const own = day.known.filter((each) => each.storage.id === storage.id);
        return own.length === 0 ? 'not known' : dayFigure({ ...day, known: own }, ({ used }) => used);
      };
      const [now, before] = [of(newest), of(then)];
      if (now === 'not known' || before === 'not known') continue;
      if (now > before && now - before >= before / 10)
        found.set(`${span} ${storage.id}`, [then.date, now, before]);
    }
  }
  return found;
}

/** Compares cells with the truth. A null is right where nobody can know, and nowhere else. */
export function compare(
  cellOf: (name: string) => unknown,
  truths: Readonly<Record<string, Told>>,
  say: (text: string) => void,
): void {
  for (const [name, truth] of Object.entries(truths)) {
    const cell = cellOf(name) ?? null;
    const isRight =
      truth === 'not known'
        ? cell === null
        : cell !== null && Math.abs(Number(cell) - truth) <= 1e-9 * Math.abs(truth);
    if (!isRight) say(`${name} is ${cell}, and ${truth} in truth`);
  }
}
