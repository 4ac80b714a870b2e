const MINUTE = 60_000;
const DAY = 1440;

/** A cron expression in a zone, and the midnights UTC between which to walk. */
export interface Walk {
  readonly cron: string;
  readonly timeZone: string;
  readonly from: number;
  readonly until: number;
}

/**
 * Runs, and the longest gap in minutes. It walks over every minute of UTC and looks at a clock of the zone; slow, and
 * made of nothing that the reader of schedules is made of. Counted as it counts: from the first minute of the first
 * date that the clock shows to the first minute after the last one.
 */
export function walkedMinutes({ cron, timeZone, from, until }: Walk): {
  readonly runs: number;
  readonly gapMinutes: number;
} {
  const [minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = cron.split(' ');
  const ofDay = Uint8Array.from({ length: DAY }, (_, at) =>
    Number(
      isAmong(minute, { value: at % 60, first: 0, last: 59 }) &&
        isAmong(hour, { value: Math.floor(at / 60), first: 0, last: 23 }),
    ),
  );
  const firstDate = from / MINUTE / DAY;
  const picked = datesOf({ day, month, weekday, year }, { from, until });
  const dueDates = Uint8Array.from({ length: (until - from) / MINUTE / DAY }, (_, index) =>
    Number(picked.has(from + index * DAY * MINUTE)),
  );
  // Most quarters of an hour have no run: only their last minute is noted. The first of a date may be where the walk begins or ends.
  const isQuiet = Uint8Array.from({ length: DAY / 15 }, (_, quarter) =>
    Number(quarter > 0 && !ofDay.subarray(quarter * 15, quarter * 15 + 15).includes(1)),
  );
  let [runs, gapMinutes, last, latestShown] = [0, 0, Number.NaN, from / MINUTE - 1];
  for (const [quarter, offset] of clockOf(timeZone, { from, until }).entries()) {
    const begin = from / MINUTE - 2 * DAY + quarter * 15;
    const ofDate = ((begin + offset) % DAY) / 15;
    const isDue = dueDates[Math.floor((begin + offset) / DAY) - firstDate] === 1;
    if (isQuiet[ofDate] === 1 || (!isDue && ofDate > 0)) {
      latestShown = Math.max(latestShown, begin + offset + 14);
      continue;
    }
    for (let utc = begin; utc < begin + 15; utc += 1) {
      const shown = utc + offset;
      // Shown before: the clocks went back.
      if (shown <= latestShown) continue;
      latestShown = shown;
      const isRun = isDue && ofDay[shown % DAY] === 1;
      if (isRun) runs += 1;
      else if (shown !== from / MINUTE && shown !== until / MINUTE) continue;
      if (utc - last > gapMinutes) gapMinutes = utc - last;
      last = utc;
    }
  }
  return { runs, gapMinutes };
}

interface Among {
  readonly value: number;
  readonly first: number;
  readonly last: number;
}

/** Steps through a field from where it begins, one value at a time. */
function isAmong(field: string, { value, first, last }: Among): boolean {
  return field.split(',').some((part) => {
    const [range = '', step] = part.split('/');
    const [from, to] = range === '*' ? [first, last] : range.split('-').map(Number);
    const end = to ?? (step === undefined ? from : last);
    let at = from ?? Number.NaN;
    for (let steps = 0; ; steps += 1) {
      if (at === value && steps % Number(step ?? 1) === 0) return true;
      if (at === end || steps > last) return false;
      at = at === last ? first : at + 1;
    }
  });
}

interface DateFields {
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
  readonly year: string;
}

interface Window {
  readonly from: number;
  readonly until: number;
}

/** The dates, as midnights UTC, that the fields pick out of the months of a window. */
function datesOf({ day, month, weekday, year }: DateFields, { from, until }: Window): ReadonlySet<number> {
  const picked = new Set<number>();
  for (let y = new Date(from).getUTCFullYear(); y <= new Date(until).getUTCFullYear(); y += 1) {
    if (!isAmong(year, { value: y, first: 1970, last: 2199 })) continue;
    for (let m = 0; m < 12; m += 1) {
      if (!isAmong(month, { value: m + 1, first: 1, last: 12 })) continue;
      const dates = Array.from({ length: 31 }, (_, index) => new Date(Date.UTC(y, m, index + 1)));
      const all = dates.filter((each) => each.getUTCMonth() === m);
      const those = day === '?' ? byWeekday(all, weekday) : byNumber(all, day);
      for (const each of those) if (each !== undefined) picked.add(each.getTime());
    }
  }
  return picked;
}

function byWeekday(all: readonly Date[], field: string): readonly (Date | undefined)[] {
  const those = (number: string) => all.filter((each) => String(each.getUTCDay() + 1) === number);
  if (field === 'L') return those('7');
  if (field.endsWith('L')) return [those(field.slice(0, -1)).at(-1)];
  const [number = '', nth] = field.split('#');
  if (nth !== undefined) return [those(number)[Number(nth) - 1]];
  return all.filter((each) => isAmong(field, { value: each.getUTCDay() + 1, first: 1, last: 7 }));
}

function byNumber(all: readonly Date[], field: string): readonly (Date | undefined)[] {
  const workdays = all.filter((each) => each.getUTCDay() !== 0 && each.getUTCDay() !== 6);
  if (field === 'L') return [all.at(-1)];
  if (field === 'LW') return [workdays.at(-1)];
  if (field.endsWith('W')) {
    const number = Number(field.slice(0, -1));
    const away = (each: Date) => Math.abs(each.getUTCDate() - number);
    return number > all.length ? [] : [workdays.toSorted((a, b) => away(a) - away(b))[0]];
  }
  return all.filter((each) => isAmong(field, { value: each.getUTCDate(), first: 1, last: 31 }));
}

const clocks = new Map<string, Int16Array>();

/** Minutes by which a clock of the zone is ahead of UTC, for each quarter of an hour from two days before. */
function clockOf(timeZone: string, window: Window): Int16Array {
  const key = `${timeZone} ${window.from} ${window.until}`;
  const clock = clocks.get(key) ?? readClock(timeZone, window);
  clocks.set(key, clock);
  return clock;
}

function readClock(timeZone: string, { from, until }: Window): Int16Array {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const read = (utc: number) => {
    const texts = format.format(utc * MINUTE).split(/\D+/);
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = texts.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute) / MINUTE - utc;
  };
  const start = from / MINUTE - 2 * DAY;
  const offsets = new Int16Array((until - from) / MINUTE / 15 + (4 * DAY) / 15);
  // Zones change at quarters of an hour, and hardly ever: every quarter is read on the days on which they do.
  const fill = (begin: number, end: number, [step = 1, ...finer]: readonly number[]) => {
    for (let index = begin; index < end; index += step) {
      const next = Math.min(index + step, end);
      const offset = read(start + index * 15);
      if (step === 1 || offset === read(start + next * 15)) offsets.fill(offset, index, next);
      else fill(index, next, finer);
    }
  };
  fill(0, offsets.length, [7 * 96, 96, 1]);
  return offsets;
}
