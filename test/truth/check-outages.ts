import { type Device, hasUnseenMove, iso, time } from './device.ts';
import { type Clocks, clocksOf, nextDay } from './local-time.ts';
import { openOn } from './settings.ts';
import { common, hoursOf, union } from './spans.ts';
import { EPSILON, type Row, type Say } from './telling.ts';
import { HOUR_MS, type Span } from './world.ts';

/** In each run that had an answer it is out in the view when it is in truth. */
export function checkOutages(device: Device, outages: readonly Row[], say: Say): void {
  const { truth } = device;
  const spans = outages.map(
    (row): Span => [time(row, 'started_at') ?? 0, time(row, 'ended_at') ?? Number.POSITIVE_INFINITY],
  );
  // The middle of a time that nobody saw may be too early by as much as the view says.
  const sure = outages.map((row, index): Span => {
    const [from, to] = spans[index] ?? [0, 0];
    const early = row['started_by'] === 'api' ? 0 : Number(row['sampling_error_hours'] ?? 0) * HOUR_MS;
    return [from + early, to];
  });
  for (const at of truth.seen) {
    // What a device did since its last report is not told yet.
    const isOut = isIn(truth.out, at - 600_001) && isIn(truth.out, at);
    const isOn = !isIn(truth.out, at - 600_001) && !isIn(truth.out, at);
    // The first report of a screen may be of the very moment of the run.
    if (isOut && !isIn(spans, at - 1) && !isIn(spans, at) && !spans.some(([from]) => from === at))
      say(`it is out at ${iso(at)}, and no outage says so`);
    if (isOn && isIn(sure, at - 1)) say(`it is not out at ${iso(at)}, and an outage says so`);
  }
  // Where the API dates the begin of an outage, it was not out just before: no outage has that in its middle.
  for (const [from, to] of truth.out) {
    const isTold = truth.dated.has(from) && truth.seen.some((at) => from < at - 600_001 && at < to);
    if (isTold && spans.some(([start, end]) => start < from && from < end))
      say(`it went out at ${iso(from)}, in the middle of an outage`);
  }
  for (const row of outages.filter(
    (each) => each['started_by'] === 'observed' && each['unknown_hours'] === 0,
  ))
    if (row['sampling_error_hours'] === 0 && !truth.out.some(([from]) => from === time(row, 'started_at')))
      say(`nothing went out at ${row['started_at']}, which is told without an error`);
  for (const [index, row] of outages.entries()) checkHours(device, row, spans[index] ?? [0, 0], say);
  const open = outages.filter((row) => row['ended_at'] === null);
  if (!truth.isListed && open.length > 0) say('an outage lasts of what is no longer listed');
}

function isIn(spans: readonly Span[], at: number): boolean {
  return spans.some(([from, to]) => from <= at && at < to);
}

/** Its hours, and those in which its place was open, are no more than the truth has and no fewer than runs watched, but for what it says. */
function checkHours({ truth, clocks, states }: Device, row: Row, [from, to]: Span, say: Say): void {
  const until = Math.min(to, truth.seen.at(-1) ?? 0);
  const days = daysOf([from, until], clocks);
  const counted = days.filter(({ day }) => !truth.excused.has(day));
  const out = common(
    truth.out,
    counted.map(({ span }) => span),
  );
  const isOf = (spans: readonly Span[]) => hoursOf(common(union(spans), [[from - 1, until + 1]]));
  const blurred = states.map(
    (each): Span => [time(each, 'started_after') ?? 0, time(each, 'started_before') ?? 0],
  );
  // Nobody knows by how much its hours are too few, where it began before the first sight.
  const unsure = row['sampling_error_hours'] ?? isOf(blurred);
  const slack = Number(unsure) + isOf(truth.hidden) + EPSILON;
  const check = (name: string, spans: readonly Span[]) => {
    const told = Number(row[name]);
    const [least, most] = [hoursOf(common(spans, truth.watched)), hoursOf(spans)];
    if (told < least - slack || told > most + slack)
      say(`${name} of the outage at ${iso(from)} are ${told}, and from ${least} to ${most} in truth`);
  };
  check('hours', out);
  if (row['open_hours'] === null || hasUnseenMove(truth, clocks)) return;
  const open = counted.flatMap(({ day }) => openOn(truth.player, day, clocks, clocksOf) ?? []);
  check('open_hours', common(out, union(open)));
}

/** The local days of a time, cut at its ends. */
function daysOf(
  [from, until]: Span,
  clocks: Clocks,
): readonly { readonly day: string; readonly span: Span }[] {
  const days: { day: string; span: Span }[] = [];
  for (let day = clocks.dayOf(from); clocks.momentOf(day, 0) < until; day = nextDay(day, 1))
    days.push({
      day,
      span: [Math.max(from, clocks.momentOf(day, 0)), Math.min(until, clocks.momentOf(nextDay(day, 1), 0))],
    });
  return days;
}
