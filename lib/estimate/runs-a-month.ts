const MINUTES_A_MONTH = 30 * 24 * 60;
const UNIT_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };

/** Runs in 30 days of an EventBridge schedule; NaN where it is neither cron(…) nor rate(…). */
export function runsAMonth(schedule: string): number {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule);
  if (rate !== null) return MINUTES_A_MONTH / (Number(rate[1]) * (UNIT_MINUTES[rate[2] ?? ''] ?? Number.NaN));
  const fields = /^cron\((\S+) (\S+) (\S+) \S+ (\S+) \S+\)$/.exec(schedule);
  if (fields === null) return Number.NaN;
  const [, minutes = '*', hours = '*', dayOfMonth = '*', dayOfWeek = '?'] = fields;
  return valuesIn(minutes, 60) * valuesIn(hours, 24) * daysAMonth(dayOfMonth, dayOfWeek);
}

function daysAMonth(dayOfMonth: string, dayOfWeek: string): number {
  if (dayOfMonth !== '*' && dayOfMonth !== '?') return valuesIn(dayOfMonth, 31);
  if (dayOfWeek === '*' || dayOfWeek === '?') return 30;
  return (30 / 7) * valuesIn(dayOfWeek, 7);
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** How many values a field such as `0/15`, `8-18` or `MON-FRI` has, of so many. */
function valuesIn(field: string, of: number): number {
  const counts = field
    .replace(/[A-Z]{3}/g, (name) => String(DAYS.indexOf(name) + 1))
    .split(',')
    .map((part) => {
      const [range = '*', step] = part.split('/');
      const [first, last] = range === '*' ? [0, of - 1] : range.split('-').map(Number);
      const end = last ?? (step === undefined ? first : of - 1);
      return Math.floor(((end ?? 0) - (first ?? 0)) / Number(step ?? 1)) + 1;
    });
  return counts.reduce((sum, count) => sum + count, 0);
}
