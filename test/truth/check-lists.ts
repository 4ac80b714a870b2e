import { sourceOf } from './exported.ts';
import { type Day, type Device, daysOf, playersOf, queueReadAt, readAt, screensOf } from './fleet.ts';
import { pendingOf } from './queues.ts';
import { EPSILON, type Row, type Say } from './telling.ts';
import type { Figures } from './truth-lab.ts';
import type { World } from './world.ts';

/** What the lists of players and screens, of now and of each day, say of a world that is not true. */
export function listFaults(world: World, { clocks, views }: Figures): readonly string[] {
  const faults: string[] = [];
  const own = (rows: readonly Row[]) => rows.filter((row) => row['export_source'] === sourceOf(world));
  const days = daysOf(world, clocks);
  for (const [index, { date }] of days.entries()) {
    const ofDay = (rows: readonly Row[]) => own(rows).filter((row) => row['export_date'] === date);
    const until = { world, days: days.slice(0, index + 1) };
    const say: Say = (text) => faults.push(`${date}: ${text}`);
    checkPlayers(ofDay(views.playerDays), until, say);
    checkScreens(ofDay(views.screenDays), until, say);
  }
  const now: Say = (text) => faults.push(`now: ${text}`);
  checkPlayers(own(views.health), { world, days }, now);
  checkScreens(own(views.status), { world, days }, now);
  checkChildren(own(views.health), { world, days }, now);
  return faults;
}

/** The days of a source up to that of a list. */
interface UntilDay {
  readonly world: World;
  readonly days: readonly Day[];
}

/** Nobody knows how a player is on a day whose runs were all refused. */
function checkPlayers(rows: readonly Row[], { world, days }: UntilDay, say: Say): void {
  checkStates(
    { rows, truth: playersOf(world, days), id: 'player_id', state: 'health', hours: 'offline_hours' },
    say,
  );
}

/** A screen that no run of the day read is unknown; one that none ever read is not there. */
function checkScreens(rows: readonly Row[], { world, days }: UntilDay, say: Say): void {
  checkStates(
    { rows, truth: screensOf(world, days), id: 'screen', state: 'state', hours: 'hours_in_state' },
    say,
  );
}

interface Listed {
  readonly rows: readonly Row[];
  readonly truth: readonly Device[];
  /** Names of columns. */
  readonly id: string;
  readonly state: string;
  readonly hours: string;
}

function checkStates({ rows, truth, id, ...columns }: Listed, say: Say): void {
  if (rows.length !== truth.length) say(`${truth.length} have a ${id}, and ${rows.length} are told`);
  for (const { key, state, hours, isExpected } of truth) {
    const row = rows.find((each) => each[id] === key);
    if (row?.[columns.state] !== state) say(`${id} ${key} is ${state}, and ${row?.[columns.state]} is told`);
    if (row?.['is_expected'] !== isExpected) say(`${id} ${key} is expected: ${row?.['is_expected']} is told`);
    const told = row?.[columns.hours];
    if (told === undefined) continue;
    const isRight = Number.isFinite(hours)
      ? Math.abs(Number(told) - hours) <= EPSILON
      : (state === 'unknown' && id === 'player_id') || told === null;
    if (!isRight) say(`${id} ${key} is so for ${hours} h, and ${told} are told`);
  }
}

/** Each player has its own screens and transfers, or none is told where its listing was not answered. */
function checkChildren(rows: readonly Row[], until: UntilDay, say: Say): void {
  const { runs = [], isPartial = true } = until.days.at(-1) ?? {};
  const [today, all] = [until.days.slice(-1), pendingOf(until.world, until.days)];
  for (const { player } of playersOf(until.world, until.days)) {
    const { id, screens } = player;
    const row = rows.find((each) => each['player_id'] === String(id));
    const pending = all.filter((each) => each.player === id).length;
    for (const [column, count, isKnown] of [
      ['screens', screens.length, readAt(player, today) !== undefined],
      ['pending_transfers', pending, queueReadAt(player, today) !== undefined],
    ] as const) {
      const told = row?.[column] ?? null;
      // A count of none is told as not known where no whole run says so, or one that is not the last of its day.
      const { denied = [], queues = [] } = runs.at(-1) ?? {};
      const isOpen = isPartial || denied.length + queues.length > 0;
      const isRight = told === null ? !isKnown || (isOpen && count === 0) : isKnown && Number(told) === count;
      if (!isRight) say(`player ${id} has ${isKnown ? count : 'unknown'} ${column}, and ${told} are told`);
    }
  }
}
