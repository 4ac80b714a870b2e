import { dice, hash } from '#simulator/dice.ts';
import { isListed } from './told.ts';
import { isUnsaid } from './unsaid.ts';
import { FIRST_DAY, HOUR_MS, type World } from './world.ts';

/** A file that waits for its player, from `createdAt` up to and without `doneAt`. */
export interface TrueTransfer {
  readonly id: number;
  readonly player: number;
  readonly createdAt: number;
  /** When it may begin; undefined = at once. */
  readonly startsAt: number | undefined;
  /** When bytes arrived, and when all of them were lost. */
  readonly steps: readonly number[];
  readonly restarts: readonly number[];
  readonly doneAt: number;
  /** Whether the API tells `createdAt`. */
  readonly isDated: boolean;
}

export interface TrueLicense {
  readonly type: string;
  /** How many there are at first, and how many of them are left. */
  readonly total: number;
  readonly left: number;
  /** After how many hours one more is used, and one more expires. */
  readonly hours: number;
  readonly expires: number;
  /** How many were bought, and when. */
  readonly bought: { readonly count: number; readonly at: number } | undefined;
}

/** What is true of a fleet beside its players and screens. */
export interface Goods {
  readonly transfers: readonly TrueTransfer[];
  readonly licenses: readonly TrueLicense[];
}

export function goodsOf({ seed, days, players }: World): Goods {
  const roll = dice(hash(seed, 3));
  const more = dice(hash(seed, 9));
  const hours = (from: number, to: number) => Math.round((from + roll.next() * (to - from)) * 60) * 60_000;
  const transfers = Array.from({ length: roll.below(7) }, (_, index): TrueTransfer => {
    const createdAt = FIRST_DAY + hours(-48, days * 20);
    const doneAt = createdAt + hours(1, (days * 150) / 9);
    const startsAt = roll.chance(0.25) ? createdAt + hours(1, 60) : undefined;
    const steps = Array.from({ length: roll.below(5) }, () => (startsAt ?? createdAt) + hours(0, 120));
    return {
      ...{ id: index + 1, player: roll.pick(players).id, createdAt, startsAt, doneAt },
      steps: steps.toSorted((a, b) => a - b),
      restarts: more.chance(0.3) ? [1, 2].map(() => createdAt + Math.floor(more.next() * 120 * HOUR_MS)) : [],
      isDated: roll.chance(0.7),
    };
  });
  const licenses = ['Player', 'Editor'].slice(0, roll.below(3)).map((type): TrueLicense => {
    const total = 20 + roll.below(50);
    const [left, every] = [roll.below(total), 5 + roll.below(40)];
    return {
      ...{ type, total, left, hours: every },
      expires: more.chance(0.5) ? 15 + more.below(60) : Number.POSITIVE_INFINITY,
      bought: more.chance(0.3)
        ? { count: 1 + more.below(60), at: FIRST_DAY + more.below(days * 24) * HOUR_MS }
        : undefined,
    };
  });
  return { transfers, licenses };
}

/** The transfers that are pending for the players that are listed on a day. */
function pendingAt(world: World, at: number, day: string): readonly TrueTransfer[] {
  const listed = new Set(world.players.filter((player) => isListed(player, day)).map(({ id }) => id));
  return goodsOf(world).transfers.filter(
    ({ player, createdAt, doneAt }) => listed.has(player) && createdAt <= at && at < doneAt,
  );
}

export const fileOf = ({ id }: TrueTransfer): string => (id % 2 === 0 ? 'menu.zip' : 'film.mp4');

/** Bytes. */
export const sizeOf = ({ id }: TrueTransfer): number => (id % 3 === 0 ? 20_000_000 : 50_000);

/** How many steps a transfer has made since it last began. */
function stepsAt({ steps, restarts }: TrueTransfer, at: number): number {
  const began = Math.max(0, ...restarts.filter((restart) => restart <= at));
  return steps.filter((step) => began < step && step <= at).length;
}

/** When it first had so many bytes. */
export const reachedAt = (transfer: TrueTransfer, bytes: number): number =>
  transfer.steps.find((step) => 1000 * stepsAt(transfer, step) >= bytes) ?? 0;

/** The bytes that an answer of that time tells; undefined if it leaves them out. */
export const bytesAt = ({ seed }: World, transfer: TrueTransfer, at: number): number | undefined =>
  isUnsaid('bytes of a transfer', seed, transfer.id, at) ? undefined : 1000 * stepsAt(transfer, at);

/** How many licences an answer of that time tells to be left; undefined if one of its records does not. */
export const toldLeft = (world: World, license: TrueLicense, at: number): number | undefined =>
  isUnsaid('licences left', world.seed, license.type, at) ? undefined : leftAt(license, at);

/** How many licences an answer of that time tells to be used. */
export function toldUsed(world: World, license: TrueLicense, at: number): number | undefined {
  const left = toldLeft(world, license, at);
  return left === undefined ? undefined : totalAt(license, at) - left;
}

const boughtAt = ({ bought }: TrueLicense, at: number): number =>
  bought !== undefined && bought.at <= at ? bought.count : 0;

/** How many licences there are; the last ones do not expire. */
export const totalAt = (license: TrueLicense, at: number): number =>
  Math.max(15, license.total - countAt(license.expires, at) + boughtAt(license, at));

function leftAt(license: TrueLicense, at: number): number {
  const gone = countAt(license.hours, at) + countAt(license.expires, at);
  return Math.max(0, license.left - gone + boughtAt(license, at));
}

const countAt = (hours: number, at: number) => Math.floor((at - FIRST_DAY) / (hours * HOUR_MS));

export function transferRecords(world: World, player: number, at: number, day: string): readonly object[] {
  return pendingAt(world, at, day)
    .filter((each) => each.player === player)
    .map((each) => ({
      Id: each.id,
      FileName: fileOf(each),
      FileSize: sizeOf(each),
      Transferred: bytesAt(world, each, at) ?? null,
      ...(each.isDated && { Created: new Date(each.createdAt).toISOString() }),
      ...(each.startsAt !== undefined && { ScheduledAt: new Date(each.startsAt).toISOString() }),
    }));
}

/** Whether each type is two records without an id, as of two orders. */
const isSplit = ({ seed }: World) => seed % 4 === 0;

export function licenseRecords(world: World, at: number): readonly object[] {
  return goodsOf(world).licenses.flatMap((each) => {
    const [total, left] = [totalAt(each, at), leftAt(each, at)];
    const isTold = toldLeft(world, each, at) !== undefined;
    if (!isSplit(world))
      return [{ Id: each.type, Type: each.type, TotalCount: total, AvailableCount: isTold ? left : null }];
    const first = Math.min(5, left);
    return [
      { Type: each.type, TotalCount: 10, AvailableCount: first },
      { Type: each.type, TotalCount: total - 10, AvailableCount: isTold ? left - first : null },
    ];
  });
}
