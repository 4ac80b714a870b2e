import { DAY_MS } from '../time.ts';

/** When a cron expression is due, in the clock of its zone. */
export type Cron = ReturnType<typeof parseCron>;

/** Why EventBridge Scheduler would refuse an expression: the end of a sentence. */
export class CronFault extends Error {}

/** A field of cron: its least and greatest number. `names` stand for the numbers from `first` on, as JAN for 1. */
interface Field {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MINUTE: Field = { name: 'minute', first: 0, last: 59 };
const HOUR: Field = { name: 'hour', first: 0, last: 23 };
const DAY: Field = { name: 'day of the month', first: 1, last: 31 };
const MONTH: Field = { name: 'month', first: 1, last: 12, names: MONTHS };
const WEEKDAY: Field = { name: 'day of the week', first: 1, last: 7, names: WEEKDAYS };
const YEAR: Field = { name: 'year', first: 1970, last: 2199 };

/**
 * Reads the content of cron( ): minute, hour, day of month, month, day of week, year; names in any case. Throws
 * CronFault if EventBridge Scheduler refuses it, or if no date fits, such as 31 February.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
 */
export function parseCron(text: string) {
  const fields = text.toUpperCase().split(' ');
  const [minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = fields;
  if (fields.length !== 6) throw new CronFault(`cron has ${fields.length} fields, and takes 6`);
  if ((day === '?') === (weekday === '?')) {
    throw new CronFault('exactly one of day of month and day of week must be ?');
  }
  const minutes = [...valuesOf(minute, MINUTE)];
  const hours = [...valuesOf(hour, HOUR)];
  const months = valuesOf(month, MONTH);
  const isDay = day === '?' ? weekdayRule(weekday) : dayRule(day);
  const cron = {
    /** Minutes after midnight, in order. */
    minutes: hours.flatMap((each) => minutes.map((at) => each * 60 + at)).sort((a, b) => a - b),
    years: valuesOf(year, YEAR),
    /** True where it is due on this day; `date` is midnight UTC of the day. */
    isDue: (date: Date) => months.has(date.getUTCMonth() + 1) && isDay(date),
  };
  if (!hasDate(cron)) throw new CronFault(`it never runs, for no date is "${fields.slice(2).join(' ')}"`);
  return cron;
}

type DayRule = (date: Date) => boolean;

/** L is the last day of a month and LW its last working day. 15W is the working day nearest to day 15. */
function dayRule(field: string): DayRule {
  if (field === 'L') return (date) => date.getUTCDate() === daysIn(date);
  if (field === 'LW') return (date) => date.getUTCDate() === nearestWorkday(date, daysIn(date));
  const [, nearest] = /^(\d+)W$/.exec(field) ?? [];
  if (nearest !== undefined) {
    const day = numberOf(nearest, DAY);
    return (date) => day <= daysIn(date) && date.getUTCDate() === nearestWorkday(date, day);
  }
  const days = valuesOf(field, DAY);
  return (date) => days.has(date.getUTCDate());
}

/** L is Saturday, 6L the last Friday of a month, 6#3 the third. */
function weekdayRule(field: string): DayRule {
  const [, which, kind, index] = /^(\w+?)(L|#([1-5]))$/.exec(field) ?? [];
  if (which === undefined) {
    const weekdays = valuesOf(field === 'L' ? 'SAT' : field, WEEKDAY);
    return (date) => weekdays.has(date.getUTCDay() + 1);
  }
  const weekday = numberOf(which, WEEKDAY);
  return (date) => {
    const day = date.getUTCDate();
    const isItsWeek = kind === 'L' ? day + 7 > daysIn(date) : Math.ceil(day / 7) === Number(index);
    return isItsWeek && date.getUTCDay() + 1 === weekday;
  };
}

/** From Monday to Friday, and in the same month. */
function nearestWorkday(date: Date, day: number): number {
  const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
  if (weekday === 6) return day === 1 ? 3 : day - 1;
  if (weekday === 0) return day === daysIn(date) ? day - 2 : day + 1;
  return day;
}

function daysIn(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function hasDate({ years, isDue }: Cron): boolean {
  return [...years].some((year) => {
    for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += DAY_MS) {
      if (isDue(new Date(day))) return true;
    }
    return false;
  });
}

/** The values of a field such as `0/15`, `8-18`, `22-2`, `1,15` or `MON-FRI`. */
function valuesOf(text: string, field: Field): ReadonlySet<number> {
  return new Set(text.split(',').flatMap((part) => valuesOfPart(part, field)));
}

function valuesOfPart(part: string, field: Field): readonly number[] {
  const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
  if (from === '' || (from === '*' && to !== undefined)) throw wrong(part, field);
  const { first, last } = field;
  const every = step === undefined ? 1 : Number(step);
  if (every < 1 || every > last) throw wrong(part, field);
  const begin = from === '*' ? first : numberOf(from, field);
  const isOpen = from === '*' || (to === undefined && step !== undefined);
  const end = isOpen ? last : numberOf(to ?? from, field);
  // Hours from 22 to 2 pass midnight, days from Friday to Monday the week's end; years only go forward.
  if (end < begin && field === YEAR) throw wrong(part, field);
  const size = last - first + 1;
  const span = end < begin ? end - begin + size : end - begin;
  const count = Math.floor(span / every) + 1;
  return Array.from({ length: count }, (_, index) => first + ((begin - first + index * every) % size));
}

function numberOf(text: string, field: Field): number {
  const named = field.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? field.first + named : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.first && value <= field.last) return value;
  throw wrong(text, field);
}

function wrong(part: string, { name, first, last, names = [] }: Field): CronFault {
  const named = names.length === 0 ? '' : ` (or ${names[0]} to ${names.at(-1)})`;
  return new CronFault(
    `"${part}" is no ${name}: write numbers from ${first} to ${last}${named}, with , - / or *`,
  );
}
