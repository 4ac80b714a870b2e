import { checkStuck, idleHours, isStuck, STUCK_HOURS } from './check-queues.ts';
import { sourceOf } from './exported.ts';
import { type Day, daysOf, playersOf, queueReadAt, readAt, screensOf } from './fleet.ts';
import { goodsOf, type TrueTransfer, toldLeft, toldUsed, totalAt } from './goods.ts';
import { isDue, pendingOf } from './queues.ts';
import { GROUPED, groupsOn } from './settings.ts';
import type { Row, Say } from './telling.ts';
import { isReporting } from './told.ts';
import type { Figures } from './truth-lab.ts';
import type { TruePlayer, World } from './world.ts';

/** What of a world's figures by day is neither true nor said to be unknown. */
export function goodsFaults(world: World, figures: Figures): readonly string[] {
  const faults: string[] = [];
  const { clocks, views } = figures;
  const own = (rows: readonly Row[]) => rows.filter((row) => row['export_source'] === sourceOf(world));
  const days = daysOf(world, clocks);
  for (const [index, day] of days.entries()) {
    const say: Say = (text) => faults.push(`${day.date}: ${text}`);
    const [row, ...others] = own(views.trend).filter((each) => each['export_date'] === day.date);
    if (row === undefined || others.length > 0) {
      say(`${row === undefined ? 'no row' : 'two rows'} of daily_trend`);
      continue;
    }
    checkDay(row, truthOf(world, days.slice(0, index + 1), world.players), say);
    if (day.at !== undefined)
      checkStuck(
        own(views.transferDays).filter((each) => each['export_date'] === day.date),
        { world, days: days.slice(0, index + 1) },
        say,
      );
    const groups = own(views.groups).filter((each) => each['export_date'] === day.date);
    for (const [number, by] of GROUPED.entries()) {
      const ofColumn = groups.filter((each) => each['group_by'] === by);
      checkGroups(ofColumn, row, say);
      for (const of of ofColumn) {
        const value = of['group_value'] ?? undefined;
        const players = world.players.filter((player) => groupsOn(player, day.date)[number] === value);
        const until = days.slice(0, index + 1);
        checkDay(of, truthOf(world, until, players), (text) => say(`${by} ${value}: ${text}`));
      }
    }
  }
  const newest = days.findLast(({ at }) => at !== undefined);
  if (newest?.at !== undefined && newest === days.at(-1)) {
    checkStuck(own(views.stuck), { world, days }, (text) => faults.push(text));
    checkLicenses(own(views.licenses), world, newest.at, (text) => faults.push(text));
  }
  if (clocks.dayOf(world.runs.at(-1)?.at ?? 0) < (days.at(-1)?.date ?? ''))
    faults.push('a day after the last run');
  return faults;
}

/** By column: what is true (or the least and the most), and whether a null is right because something of it is unknown. */
export type DayTruth = Readonly<
  Record<string, { readonly is: number; readonly most?: number; readonly mayBeNull: boolean }>
>;

/** Nobody knows it, so that no figure is right. */
const UNTOLD = { is: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY, mayBeNull: true };

/** What is true of the newest of these days; undefined if none of its runs was answered. */
export function truthOf(
  world: World,
  days: readonly Day[],
  players: readonly TruePlayer[],
): DayTruth | undefined {
  const { at, date, isPartial = false, isUntold = false } = days.at(-1) ?? {};
  if (at === undefined || date === undefined) return undefined;
  const listed = playersOf({ players }, days);
  const expected = listed.filter((each) => each.isExpected);
  const screens = screensOf({ players }, days);
  const count = (some: readonly { readonly state: string }[], state: string) =>
    some.filter((each) => each.state === state).length;
  const isUnread = listed.some(({ player }) => readAt(player, days.slice(-1)) === undefined);
  const screen = (some: typeof screens, state: string) => ({
    is: count(some, state),
    mayBeNull:
      isUntold ||
      isUnread ||
      listed.length === 0 ||
      count(some, 'unknown') > 0 ||
      // Without the time of a report nobody is called stale.
      (state === 'stale' &&
        !some.every(({ player }) => isReporting(player, readAt(player, days.slice(-1)) ?? at))),
  });
  const ids = new Set(expected.map(({ player }) => player.id));
  const pending = pendingOf(world, days, players).filter(
    ({ player, isCarried }) => ids.has(player) && !isCarried,
  );
  const waiting = pending.filter((each) => isDue(each, each.readAt));
  const ofQueues = (is: number) => ({ is, mayBeNull: listed.length === 0 || (isPartial && is === 0) });
  // A source without players says nothing of them.
  const isSure = (is: number) => ({ is, mayBeNull: listed.length === 0 });
  const player = (some: typeof listed, state: string) =>
    some.length > 0 && count(some, 'unknown') === some.length ? UNTOLD : isSure(count(some, state));
  const stuck = waiting.filter((each) => isStuck(idleHours(each, world, days)));
  const older = waiting.filter((each) => {
    const idle = idleHours(each, world, days);
    return idle.isOlder || (idle.told >= STUCK_HOURS && !isStuck(idle));
  });
  const today = days.slice(-1);
  const unread = expected.filter(({ player }) => queueReadAt(player, today) === undefined);
  const perhaps = new Set([
    ...(isUntold ? ids : []),
    ...expected
      .filter(({ player }) => today[0]?.runs.some(({ queues = [] }) => queues.includes(player.id)) === true)
      .map(({ player }) => player.id),
    ...older.map((each) => each.player),
  ]);
  const playersIn = (some: readonly TrueTransfer[]) => new Set(some.map((each) => each.player)).size;
  const states = (
    [
      ['', listed, screens],
      ['expected_', expected, screens.filter((each) => each.isExpected)],
    ] as const
  ).flatMap(
    ([prefix, some, shown]) =>
      [
        [`${prefix}players`, isSure(some.length)],
        [`${prefix}players_online`, player(some, 'online')],
        [`${prefix}players_offline`, player(some, 'offline')],
        [`${prefix}players_never_seen`, player(some, 'never seen')],
        ...['on', 'off', 'stale'].map(
          (state) => [`${prefix}screens_${state}`, screen(shown, state)] as const,
        ),
      ] as const,
  );
  const used = goodsOf(world).licenses.map((each) => toldUsed(world, each, at));
  return {
    ...Object.fromEntries(states),
    pending_transfers: ofQueues(pending.length),
    players_waiting: ofQueues(playersIn(waiting)),
    players_stuck: { is: playersIn(stuck), mayBeNull: older.length > 0 || listed.length === 0 || isPartial },
    players_stuck_unknown: {
      is: unread.length,
      most: perhaps.size,
      mayBeNull: listed.length === 0 || isPartial,
    },
    licenses_total: isSure(sumOf(goodsOf(world).licenses.map((each) => totalAt(each, at)))),
    licenses_used: used.includes(undefined) ? UNTOLD : isSure(sumOf(used.map(Number))),
  };
}

function checkDay(row: Row, truth: DayTruth | undefined, say: Say): void {
  const [columns, told] = [Object.keys(truth ?? {}), (column: string) => row[column] ?? null];
  if (truth === undefined) {
    for (const column of [
      'players_online',
      'screens_on',
      'pending_transfers',
      'players_stuck',
      'licenses_used',
    ])
      if (column in row && told(column) !== null && column !== 'players')
        say(`${column} is ${told(column)}, and no run was answered`);
    return;
  }
  for (const column of columns.filter((each) => each in row)) {
    const { is, mayBeNull, most = is } = truth[column] ?? { is: 0, mayBeNull: true };
    const figure = Number(told(column));
    if (told(column) === null ? !mayBeNull && !(is === 0 && isNothing(column)) : figure < is || figure > most)
      say(`${column} is ${told(column)}, and ${most === is ? is : `${is} to ${most}`} in truth`);
  }
}

/** A source that never had a licence has no figure of licences. */
const isNothing = (column: string) => column.startsWith('licenses');

/** The groups of a day have the sums of the whole. */
function checkGroups(groups: readonly Row[], whole: Row, say: Say): void {
  for (const column of [
    'players',
    'expected_players',
    'pending_transfers',
    'players_waiting',
    'players_stuck',
    'players_stuck_unknown',
  ]) {
    const cells = groups.map((row) => row[column] ?? null);
    if (groups.length === 0 || cells.includes(null) || whole[column] === null) continue;
    const sum = sumOf(cells.map(Number));
    if (sum !== Number(whole[column])) say(`the groups have ${sum} ${column}, and all have ${whole[column]}`);
  }
}

function checkLicenses(rows: readonly Row[], world: World, at: number, say: Say): void {
  for (const each of goodsOf(world).licenses) {
    const row = rows.find((one) => one['license_type'] === each.type);
    const left = toldLeft(world, each, at) ?? null;
    if (numberOf(row?.['available']) !== left || Number(row?.['total']) !== totalAt(each, at))
      say(`${each.type} has ${left} left, and ${row?.['available']} are told`);
  }
}

const numberOf = (cell: unknown) => (cell === null || cell === undefined ? null : Number(cell));
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
