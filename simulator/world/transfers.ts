import { dice, hash } from '../dice.ts';
import { type JsonObject, omitUndefined } from '../json.ts';
import { days, hours, iso, nowOf } from './clock.ts';
import { FIRST_PLAYER_ID, SALT, type WorldSettings } from './settings.ts';
import { FILES } from './words.ts';

const MAX_TRANSFERS = 20;
/**
 * The last player of day 0 has more transfers than any other, and they are always pending. If several players had
 * the most, such as 15, the server would seem to return no more than 15. Worlds of fewer than 12 players have none.
 */
const MOST_LINES = MAX_TRANSFERS - 1;
const isBehind = ({ players }: WorldSettings, index: number) => players > 11 && index === players - 1;
/** The most transfers that one line of a player may ever have; so ids stay far below 2^53. */
const IDS_A_LINE = 10_000;

/** The record's fields are invented: no public sample of PendingFileTransfers was found. */
export function transferRecords(settings: WorldSettings, index: number, day: number): JsonObject[] {
  return pendingTurns(settings, index, day).map((turn) => transferRecord(settings, index, turn, day));
}

export function pendingTransferCount(settings: WorldSettings, index: number, day: number): number {
  return pendingTurns(settings, index, day).length;
}

function pendingTurns(settings: WorldSettings, index: number, day: number): readonly Turn[] {
  const lines = Array.from({ length: lineCount(settings, index) }, (_, line) => line);
  return lines.flatMap((line) => pendingTurn(settings, index, line, day) ?? []);
}

/** A player has 0 to 18 lines of transfers, 3.9 on average. Most of the time, a line has one pending transfer. */
function lineCount(settings: WorldSettings, index: number): number {
  if (settings.transfersPerPlayer !== undefined) return settings.transfersPerPlayer;
  if (isBehind(settings, index)) return MOST_LINES;
  const roll = hash(settings.seed, SALT.playerTransfers, index);
  const kind = roll % 100;
  if (kind < 30) return 0;
  if (kind < 80) return 1 + ((roll >>> 8) % 5);
  if (kind < 95) return 6 + ((roll >>> 8) % 6);
  return 12 + ((roll >>> 8) % (MOST_LINES - 12));
}

interface Turn {
  readonly line: number;
  readonly number: number;
  /** The day on which it appeared. */
  readonly day: number;
}

/** The pending transfer of a line. Its transfers follow one another; each is pending for some days, then finished. */
function pendingTurn(settings: WorldSettings, index: number, line: number, day: number): Turn | undefined {
  const roll = hash(settings.seed, SALT.transferSlot, index, line);
  const period = 3 + (roll % 8);
  const shifted = day + ((roll >>> 4) % period);
  const age = shifted % period;
  const mayEnd = settings.transfersPerPlayer === undefined && !isBehind(settings, index);
  const finished = mayEnd && age >= period - 1 - ((roll >>> 8) % 2);
  return finished ? undefined : { line, number: Math.floor(shifted / period), day: day - age };
}

function transferRecord(settings: WorldSettings, index: number, turn: Turn, day: number): JsonObject {
  const { line } = turn;
  const id = ((FIRST_PLAYER_ID + index) * MAX_TRANSFERS + line) * IDS_A_LINE + turn.number;
  const roll = dice(hash(settings.seed, SALT.transfer, index, line * IDS_A_LINE + turn.number));
  const created = nowOf(settings.startDate, turn.day) - hours(20 * roll.next());
  const size = 1000 + Math.floor(roll.next() ** 4 * 6_000_000_000);
  const attempts = Math.min(5, day - turn.day);
  return omitUndefined({
    Id: id,
    FileName: roll.pick(FILES),
    FileSize: size,
    Transferred: attempts === 0 ? 0 : Math.floor((size * attempts) / 6),
    Priority: roll.pick(['Normal', 'Normal', 'High']),
    Attempts: attempts,
    Created: iso(created),
    LastAttempt: attempts === 0 ? undefined : iso(nowOf(settings.startDate, day) - hours(roll.next() * 12)),
    ScheduledAt: roll.chance(0.2) ? iso(created + days(3)) : undefined,
  });
}
