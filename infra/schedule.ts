import { awsCronExpressionValidator } from 'aws-cron-expression-validator';
import { UsageError } from '../lib/errors.ts';

const UNIT_HOURS = { minute: 1 / 60, hour: 1, day: 24 } as const;

/**
 * The longest time between two runs of a schedule in hours, rounded up: what the alarm for a late run waits for.
 * Throws UsageError where EventBridge Scheduler would refuse the expression, which CloudFormation says only while it
 * deploys.
 */
export function longestGapHours(schedule: string): number {
  const [, kind, inside = ''] = /^(cron|rate)\((.*)\)$/.exec(schedule) ?? [];
  if (kind === 'rate') return rateHours(schedule, inside);
  if (kind === 'cron') return cronHours(schedule, inside);
  throw wrong(schedule, 'it is neither cron(…) nor rate(…)');
}

function rateHours(schedule: string, inside: string): number {
  const [, number = '0', unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(inside) ?? [];
  if (!(unit in UNIT_HOURS) || Number(number) < 1) throw wrong(schedule, 'a rate is such as rate(1 day)');
  return Math.ceil(Number(number) * UNIT_HOURS[unit as keyof typeof UNIT_HOURS]);
}

function cronHours(schedule: string, inside: string): number {
  // L, W and # are Scheduler's too, but not known to the validator: for it, any day does.
  const known = inside
    .replace(/^(\S+ \S+) (L|LW|\d+W) /, '$1 1 ')
    .replace(/^(\S+ \S+ \S+ \S+) ([1-7]|[A-Z]{3})(L|#[1-5]) /, '$1 $2 ');
  try {
    awsCronExpressionValidator(known);
  } catch (cause) {
    throw wrong(schedule, cause instanceof Error ? cause.message : String(cause));
  }
  const [, hours = '*', dayOfMonth = '?', month = '*', dayOfWeek = '?'] = inside.split(' ');
  if (month !== '*') return 366 * 24;
  if (dayOfMonth !== '*' && dayOfMonth !== '?') return 31 * 24;
  if (dayOfWeek !== '*' && dayOfWeek !== '?') return gapOfWeek(dayOfWeek);
  return gapOf(valuesOf(hours, 0, 23), 24);
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function gapOfWeek(field: string): number {
  if (/[L#]/.test(field)) return 31 * 24;
  const numbers = field.replaceAll(/[A-Z]{3}/g, (name) => String(DAYS.indexOf(name) + 1));
  return gapOf(valuesOf(numbers, 1, 7), 7) * 24;
}

/** The largest distance from one value to the next, round the clock. */
function gapOf(values: readonly number[], around: number): number {
  const next = values.map((value, index) => (values[index + 1] ?? (values[0] ?? 0) + around) - value);
  return Math.max(1, ...next);
}

/** The values of a field such as `1-5`, `0/6` or `3,15`, in order. */
function valuesOf(field: string, from: number, to: number): readonly number[] {
  const values = field.split(',').flatMap((part) => {
    const [range = '*', step = '1'] = part.split('/');
    const [first = '', last = part.includes('/') ? String(to) : ''] =
      range === '*' ? [String(from), String(to)] : range.split('-');
    const end = last === '' ? Number(first) : Number(last);
    const count = Math.floor((end - Number(first)) / Number(step)) + 1;
    return Array.from({ length: Math.max(0, count) }, (_, index) => Number(first) + index * Number(step));
  });
  return [...new Set(values)].sort((a, b) => a - b);
}

function wrong(schedule: string, reason: string): UsageError {
  return new UsageError(
    `schedule is ${JSON.stringify(schedule)}, which EventBridge Scheduler would refuse (${reason}): write such as "cron(0 3 * * ? *)" (minute, hour, day of month, month, day of week, year; one of the two days is ?) or "rate(1 day)".`,
  );
}
