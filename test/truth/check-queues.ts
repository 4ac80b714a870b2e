import { type Day, daysWith, playersOf, queueReadAt } from './fleet.ts';
import { bytesAt, reachedAt, type TrueTransfer } from './goods.ts';
import { isDue, isPending, pendingOf } from './queues.ts';
import { EPSILON, type Row, type Say } from './telling.ts';
import { HOUR_MS, type TruePlayer, type World } from './world.ts';

export const STUCK_HOURS = 24;
/** Nobody says what happened in so many hours without a run. */
const GAP_HOURS = 36;

/**
 * How long a transfer has waited without progress, as far as the last runs of days show it: at most as long as in
 * truth. Progress is more bytes than any of them saw before. isSure: it stands at the newest answer. isOlder: it may be longer, because its first known bytes were old and
 * some, or it has no date on the first day, or it moved in a long time of which nobody told its bytes.
 */
export function idleHours(transfer: TrueTransfer, world: World, days: readonly Day[]) {
  const { createdAt, startsAt = 0, isDated } = transfer;
  const player = world.players.find(({ id }) => id === transfer.player);
  const since = player === undefined ? days : daysWith(player, days);
  const runs = since.flatMap((day) => {
    const at = player && queueReadAt(player, [day]);
    return at !== undefined && isPending(transfer, at) ? [at] : [];
  });
  const at = runs.at(-1) ?? 0;
  const first = runs[0] ?? at;
  const bytes = runs.flatMap((run) => {
    const count = bytesAt(world, transfer, run);
    return count === undefined ? [] : [{ at: run, count }];
  });
  const most = Math.max(0, ...bytes.map(({ count }) => count));
  const stands = bytes.find(({ count }) => count === most)?.at ?? first;
  const before = bytes.findLast((each) => each.at < stands)?.at;
  const hasMoved = before !== undefined || most > 0;
  const told = world.runs.filter(({ how }) => how === 'asked').map((run) => run.at);
  const ofFirstDay = days.find((day) => day.runs.some((run) => run.at === first))?.runs[0]?.at ?? first;
  const dated = isDated ? createdAt : first;
  const isDatedSince = isDated || startsAt > first;
  const waitsSince = Math.max(dated, startsAt, hasMoved ? stands : 0);
  // Of a file that never told its bytes, the whole wait counts, as the view says.
  const moved = most === 0 ? 0 : reachedAt(transfer, most);
  // What came with its player may have waited for longer.
  const cameWith = since[0]?.runs.some((run) => run.at === first) === true;
  const isUndated = !isDated && transfer.startsAt === undefined && (isAfterGap(told, ofFirstDay) || cameWith);
  return {
    since: Math.max(dated, startsAt),
    isDated: isDatedSince,
    told: (at - waitsSince) / HOUR_MS,
    inTruth: (at - Math.max(createdAt, startsAt, moved)) / HOUR_MS,
    isSure: bytes.length === 0 || bytes.at(-1)?.at === at,
    isOlder:
      before === undefined
        ? isUndated || (most > 0 && at - dated >= STUCK_HOURS * HOUR_MS)
        : stands - before > GAP_HOURS * HOUR_MS,
  };
}

/** Whether all of these runs show that a file makes no progress. */
export const isStuck = ({ told, isSure }: ReturnType<typeof idleHours>): boolean =>
  isSure && told >= STUCK_HOURS;

/** Whether no run told of the source for long before this one. */
function isAfterGap(runs: readonly number[], at: number): boolean {
  const before = runs.findLast((each) => each < at);
  return before === undefined || at - before > GAP_HOURS * HOUR_MS;
}

interface OfNewest {
  readonly world: World;
  readonly days: readonly Day[];
}

/** Each queue has its length, and is stuck only if a transfer has made no progress for a day. */
export function checkStuck(rows: readonly Row[], { world, days }: OfNewest, say: Say): void {
  const pending = pendingOf(world, days);
  const queues = Map.groupBy(pending, ({ player }) => String(player));
  if (rows.length !== queues.size) say(`${queues.size} players have queues, and ${rows.length} are told`);
  for (const [player, queue] of queues) {
    const row = rows.find((each) => each['player_id'] === player);
    const waiting = queue.filter((each) => isDue(each, each.readAt));
    const idle = waiting.map((each) => idleHours(each, world, days));
    const [pendingTold, scheduled] = [Number(row?.['pending']), Number(row?.['scheduled'])];
    if (pendingTold !== queue.length || scheduled !== queue.length - waiting.length)
      say(
        `player ${player} has ${queue.length} transfers, of which ${waiting.length} wait; ${pendingTold} and ${scheduled} later ones are told`,
      );
    const longest = Math.max(...idle.map(({ told }) => told));
    if (idle.length > 0 && Math.abs(Number(row?.['idle_hours']) - longest) > EPSILON)
      say(`player ${player} waits for ${longest} h, and ${row?.['idle_hours']} are told`);
    if (
      row?.['is_stuck'] === true &&
      !idle.some((each) => each.isSure && each.inTruth >= STUCK_HOURS - EPSILON)
    )
      say(`player ${player} is told to be stuck, and is not`);
    if (row?.['is_stuck'] !== true && idle.some(isStuck))
      say(`player ${player} is stuck, and nobody says so`);
    if (row?.['is_stuck'] === false && idle.some(({ isOlder, told }) => isOlder || told >= STUCK_HOURS))
      say(`player ${player} is told not to be stuck, and nobody knows`);
  }
}

/** The stuck queue of a player, and how long it has waited. */
interface StuckQueue {
  readonly player: TruePlayer;
  readonly hours: number;
  readonly pending: number;
  /** Whether the API tells since when its oldest transfer waits. */
  readonly isDated: boolean;
}

/** The stuck queues of expected players, on a newest day with an answer. */
export function stuckQueues(world: World, days: readonly Day[]): readonly StuckQueue[] {
  const pending = pendingOf(world, days).filter(({ isCarried }) => !isCarried);
  const queues = playersOf(world, days)
    .filter(({ isExpected }) => isExpected)
    .map(({ player }) => {
      const own = pending.filter((each) => each.player === player.id);
      const waiting = own
        .filter((each) => isDue(each, each.readAt))
        .map((each) => idleHours(each, world, days));
      const oldest = Math.min(...waiting.map(({ since }) => since));
      return {
        player,
        isStuck: waiting.some(isStuck),
        hours: Math.max(...waiting.map(({ told }) => told)),
        pending: own.length,
        isDated: waiting.some(({ since, isDated }) => isDated && since === oldest),
      };
    });
  return queues.filter((queue) => queue.isStuck);
}
