import { type Day, queueReadAt } from './fleet.ts';
import { goodsOf, type TrueTransfer } from './goods.ts';
import { isListed } from './told.ts';
import type { TruePlayer, World } from './world.ts';

/** A transfer that is known to be pending at the end of a day. */
export interface KnownTransfer extends TrueTransfer {
  /** When its queue was read last. */
  readonly readAt: number;
  /** True if no run of the day read it. */
  readonly isCarried: boolean;
}

/** The transfers of the players of the last listing, as the last answer about each queue has them. */
export function pendingOf(
  world: World,
  days: readonly Day[],
  players: readonly TruePlayer[] = world.players,
): readonly KnownTransfer[] {
  const last = days.findLast(({ at }) => at !== undefined);
  const { transfers } = goodsOf(world);
  return players
    .filter((player) => last !== undefined && isListed(player, last.date))
    .flatMap((player) => {
      const readAt = queueReadAt(player, days);
      if (readAt === undefined) return [];
      const isCarried = queueReadAt(player, days.slice(-1)) === undefined;
      return transfers
        .filter((each) => each.player === player.id && isPending(each, readAt))
        .map((each) => ({ ...each, readAt, isCarried }));
    });
}

export const isPending = ({ createdAt, doneAt }: TrueTransfer, at: number): boolean =>
  createdAt <= at && at < doneAt;

/** Whether it may begin by then. */
export const isDue = ({ startsAt = 0 }: TrueTransfer, at: number): boolean => startsAt <= at;
