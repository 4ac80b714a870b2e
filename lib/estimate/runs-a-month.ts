const MINUTES_A_MONTH = 30 * 24 * 60;
const UNIT_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The values that a field of a cron expression may have; names stand for the first ones. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}

const FIELDS = {
  minute: { first: 0, last: 59 },
  hour: { first: 0, last: 23 },
  dayOfMonth: { first: 1, last: 31 },
  month: { first: 1, last: 12, names: MONTHS },
  weekday: { first: 1, last: 7, names: WEEKDAYS },
} satisfies Record<string, Range>;

/**
 * Runs in 30 days of an EventBridge schedule, on average over four years; its year is not looked at. NaN where AWS would
 * not take it. @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function runsAMonth(schedule: string): number {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule);
  if (rate !== null) return MINUTES_A_MONTH / (Number(rate[1]) * (UNIT_MINUTES[rate[2] ?? ''] ?? Number.NaN));
  const fields = /^cron\((\S+) (\S+) (\S+) (\S+) (\S+) \S+\)$/.exec(schedule);
  if (fields === null) return Number.NaN;
  const inCapitals = fields.map((field) => field.toUpperCase());
  const [, minute = '', hour = '', dayOfMonth = '', month = '', weekday = ''] = inCapitals;
  const times = valuesOf(minute, FIELDS.minute).size * valuesOf(hour, FIELDS.hour).size;
  return times === 0 ? Number.NaN : times * daysAMonth({ dayOfMonth, month, weekday });
}

/** 2025 to 2028: each day of the week, and a leap year. */
const FOUR_YEARS = 1461;
const FIRST_DAY = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;

interface Days {
  readonly dayOfMonth: string;
  readonly month: string;
  readonly weekday: string;
}

function daysAMonth({ dayOfMonth, month, weekday }: Days): number {
  const months = valuesOf(month, FIELDS.month);
  let days = 0;
  for (let day = 0; day < FOUR_YEARS; day++) {
    const date = new Date(FIRST_DAY + day * DAY_MS);
    const isIts =
      months.has(date.getUTCMonth() + 1) && isDayOfMonth(date, dayOfMonth) && isWeekday(date, weekday);
    if (isIts) days += 1;
  }
  return days === 0 ? Number.NaN : (days * 30) / FOUR_YEARS;
}

/** L is the last day of a month, 15W the working day nearest to the 15th: one day of a month. */
function isDayOfMonth(date: Date, field: string): boolean {
  const day = date.getUTCDate();
  if (/^LW?$/.test(field)) return day === daysIn(date);
  const nearest = /^(\d+)W$/.exec(field);
  return nearest === null ? valuesOf(field, FIELDS.dayOfMonth).has(day) : day === Number(nearest[1]);
}

/** L is Saturday, 6L the last Friday of a month, 6#3 the third. */
function isWeekday(date: Date, field: string): boolean {
  const day = date.getUTCDate();
  const [, which = '', kind, index] = /^(\w+?)(L|#(\d))$/.exec(field) ?? [];
  const own = date.getUTCDay() + 1;
  if (kind === undefined) return valuesOf(field === 'L' ? '7' : field, FIELDS.weekday).has(own);
  if (!valuesOf(which, FIELDS.weekday).has(own)) return false;
  return kind === 'L' ? day + 7 > daysIn(date) : Math.ceil(day / 7) === Number(index);
}

function daysIn(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** The values of a field such as `0/15`, `8-18`, `22-2` or `MON-FRI`; none where it has none. */
function valuesOf(field: string, { first, last, names = [] }: Range): ReadonlySet<number> {
  const values = new Set<number>();
  const numberOf = (text: string) => {
    const named = names.indexOf(text);
    return named < 0 ? Number(text) : first + named;
  };
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const isAll = range === '*' || range === '?';
    const [from = Number.NaN, to] = isAll ? [first, last] : range.split('-').map(numberOf);
    const end = to ?? (part.includes('/') ? last : from);
    const isIn = [from, end].every((value) => value >= first && value <= last) && Number(step) >= 1;
    if (!isIn) return new Set();
    // From 22 to 2 goes over the end.
    const span = end >= from ? end - from : end - from + last - first + 1;
    for (let at = 0; at <= span; at += Number(step)) {
      values.add(first + ((from - first + at) % (last - first + 1)));
    }
  }
  return values;
}
