import { add, checkAvailability, type DaySum, type Sums } from './check-availability.ts';
import { checkOutages } from './check-outages.ts';
import { type Device, hasUnseenMove, iso, time } from './device.ts';
import { sourceOf } from './exported.ts';
import { type Clocks, clocksOf, nextDay } from './local-time.ts';
import { type Truth, truthsOf } from './oracle.ts';
import { openOn } from './settings.ts';
import { common, hoursOf, union, without } from './spans.ts';
import { EPSILON, type Row, type Say, sumOf } from './telling.ts';
import { isListed } from './told.ts';
import type { Figures } from './truth-lab.ts';
import { HOUR_MS, type Span, type World } from './world.ts';

/** What of a world's figures is neither true nor said to be unknown, within the bounds that the views state. */
export function faultsOf(world: World, { clocks, views }: Figures): readonly string[] {
  const own = (rows: readonly Row[]) => rows.filter((row) => row['export_source'] === sourceOf(world));
  const truths = truthsOf(world, clocks);
  const faults: string[] = [];
  const days = own(views.days);
  const sums: Sums = new Map();
  for (const truth of truths) {
    const of = (rows: readonly Row[]) => own(rows).filter((row) => isOf(row, truth));
    const say = (text: string) => faults.push(`${truth.level} ${truth.key}: ${text}`);
    const device: Device = { truth, clocks, states: of(views.states) };
    checkStates(device, say);
    checkOrder(device, say);
    checkOutages(device, of(views.outages), say);
    for (const sum of checkDays(device, of(days), say)) add(sums, truth, sum);
    const inHours = own(views.inHours).find((row) => truth.level === 'screen' && row['screen'] === truth.key);
    checkInHours(device, inHours, say);
  }
  checkAvailability(own(views.availability), { sums, views }, (text) => faults.push(text));
  return faults;
}

function isOf(row: Row, { level, key }: Truth): boolean {
  return (
    row['level'] === level &&
    String(row['device_key']).endsWith(`/${key}`) &&
    String(row['device_key']).split('/').slice(1).join('/') === key
  );
}

/** Times that the API tells are exact; others are half-way between two moments between which the truth changed. */
function checkStates({ truth, states }: Device, say: Say): void {
  for (const row of states.filter(({ state }) => state === 'on' || state === 'off')) {
    const [at, after, before] = [
      time(row, 'started_at'),
      time(row, 'started_after'),
      time(row, 'started_before'),
    ];
    if (at === undefined) continue;
    if (row['started_by'] === 'api') {
      const isFirst = truth.dated.has(at) || at <= Date.parse('2026-10-01T00:00:00Z');
      if (!isFirst) say(`nothing happened at ${iso(at)}, which is told as the API's`);
    } else if (after !== undefined && before !== undefined && before > at) {
      const isTrue = truth.out.flat().some((edge) => edge >= after && edge <= before);
      if (!isTrue) say(`nothing happened from ${iso(after)} to ${iso(before)}, where a change is told`);
      if (Math.abs(at - (after + before) / 2) > 1000)
        say(`a change is told at ${iso(at)}, not half-way from ${iso(after)} to ${iso(before)}`);
    }
  }
}

/** Its rows follow each other: each ends where the next one begins, or at a removal. */
function checkOrder({ truth, states }: Device, say: Say): void {
  const rows = states
    .filter(({ state }) => state !== 'watched')
    .toSorted((a, b) => (time(a, 'started_at') ?? 0) - (time(b, 'started_at') ?? 0));
  for (const [index, row] of rows.slice(1).entries()) {
    const [end, start] = [rows[index]?.['ended_at'], row['started_at']];
    // It may have reported just before the run that found it again.
    const [ended, started] = [time({ end }, 'end') ?? 0, time({ start }, 'start') ?? 0];
    const isAway = truth.away.some(([from, to]) => from === ended && from < started && started <= to);
    if (end !== start && !isAway) say(`a row ends at ${end}, and the next one begins at ${start}`);
  }
}

/** Known hours are those of the truth, and hours out are true but for the sampling error. */
function checkDays({ truth, clocks }: Device, rows: readonly Row[], say: Say): readonly DaySum[] {
  const unchecked = new Map(rows.map((row) => [String(row['export_date']), row]));
  const { first, newest: last } = truth;
  if (first === undefined) {
    const hours = sumOf(rows, 'known_hours') + sumOf(rows, 'unknown_hours');
    if (hours > 0) say(`it was never listed, and has ${hours} hours`);
    return [];
  }
  const sums: DaySum[] = [];
  let isGrouped = false;
  for (let day = clocks.dayOf(first); day <= clocks.dayOf(last); day = nextDay(day, 1)) {
    isGrouped ||= isListed(truth.player, day);
    const span: Span = [clocks.momentOf(day, 0), clocks.momentOf(nextDay(day, 1), 0)];
    const watched = common(truth.watched, [span]);
    const row = unchecked.get(day);
    const slack =
      Number(row?.['sampling_error_hours'] ?? 0) + hoursOf(common(union(truth.hidden), watched)) + EPSILON;
    const known = hoursOf(watched);
    const said = Number(row?.['known_hours'] ?? 0);
    if (Math.abs(said - known) > EPSILON) say(`${day}: ${known} hours are known, and ${said} are told`);
    const listed = truth.excused.has(day) ? [] : common(truth.there, [span]);
    const unknown = Number(row?.['unknown_hours'] ?? 0);
    const rest = hoursOf(without(listed, watched));
    if (unknown < rest - EPSILON || unknown > rest + hoursOf(common(union(truth.aside), [span])) + EPSILON)
      say(`${day}: ${rest} hours are unknown, and ${unknown} are told`);
    const out = hoursOf(common(truth.out, watched));
    const off = Number(row?.['off_hours'] ?? 0);
    if (Math.abs(off - out) > slack)
      say(`${day}: it is out for ${out} of the known hours, and ${off} are told`);
    const open = openOn(truth.told, day, clocks, clocksOf);
    // In a place with opening hours only those are judged.
    const judged = open === undefined ? watched : common(open, watched);
    const judgedOn = hoursOf(judged) - hoursOf(common(truth.out, judged));
    const unsure = Number(
      row?.[open === undefined ? 'sampling_error_hours' : 'open_sampling_error_hours'] ?? 0,
    );
    const hidden = hoursOf(common(union(truth.hidden), judged)) + EPSILON;
    const there = common(open ?? [span], listed);
    const all = hoursOf(there);
    const allOn = all - hoursOf(common(truth.out, there));
    sums.push({
      ...{ day, known, on: known - out, slack, unsure, hidden },
      ...{ judged: hoursOf(judged), judgedOn, all, allOn, isGrouped },
    });
    const openKnown = row?.['open_known_hours'] ?? null;
    // Of a day without a known hour, nobody can know whether the player had moved by then.
    if (row !== undefined && known > 0 && (openKnown === null) !== (open === undefined))
      say(`${day}: opening hours are ${open === undefined ? 'not ' : ''}there, and ${openKnown} are told`);
    if (open === undefined || row === undefined) continue;
    const trueOpen = hoursOf(common(open, watched));
    if (Math.abs(Number(openKnown) - trueOpen) > EPSILON)
      say(`${day}: ${trueOpen} open hours are known, and ${openKnown} are told`);
    const openOut = hoursOf(common(open, common(truth.out, watched)));
    const openOff = Number(row['open_off_hours']);
    if (Math.abs(openOff - openOut) > unsure + hidden)
      say(`${day}: it is out for ${openOut} open hours, and ${openOff} are told`);
  }
  return sums;
}

/** Missed hours are true, or at most so many too few as are unknown, or null. */
function checkInHours({ truth, clocks }: Device, row: Row | undefined, say: Say): void {
  if (row?.['is_expected'] === false && row['missed_hours_day'] !== null)
    say('it is not expected, and misses hours');
  if (row === undefined) return;
  const read = time(row, 'exported_at') ?? 0;
  const at = Math.max(read, truth.newest);
  // Nobody knows the place of the days before the first run that saw a move.
  if (hasUnseenMove(truth, clocks)) return;
  for (const [days, column, rest, error] of [
    [1, 'missed_hours_day', 'unknown_hours_day', 'sampling_error_hours_day'],
    [7, 'missed_hours_week', 'unknown_hours_week', 'sampling_error_hours_week'],
  ] as const) {
    const open = openBefore(truth, clocks, at, days);
    const unread = hoursOf(common(open, [[read, at]]));
    if (Number(row[rest]) < unread - EPSILON) say(`${rest} is ${row[rest]}, and nobody read ${unread} hours`);
    if (row[column] === null) continue;
    const missed = hoursOf(common(truth.out, open));
    const slack = Number(row[error]) + hoursOf(common(union(truth.hidden), open)) + EPSILON;
    const said = Number(row[column]);
    const unknown = Number(row[rest]);
    if (said > missed + slack || said + unknown + slack < missed)
      say(`${column} is ${said} ± ${row[error]} with ${unknown} unknown, and ${missed} in truth`);
  }
}

/** The opening hours of the place of each day, without days on which the player is not expected. */
export function openBefore(truth: Truth, clocks: Clocks, at: number, days: number): readonly Span[] {
  const today = clocks.dayOf(at);
  const open = Array.from({ length: days + 2 }, (_, ago) => nextDay(today, 1 - ago))
    .filter((day) => !truth.excused.has(day))
    .flatMap((day) => openOn(truth.told, day, clocks, clocksOf) ?? []);
  return common(union(open), [[at - days * 24 * HOUR_MS, at]]);
}
