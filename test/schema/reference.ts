import type { Format } from '#lib/schema/cells/formats.ts';

/** What a value is as a number: the integer digits × 10^power, so that 1.10, 1.1 and 11e-1 are one. */
export function decimalOf(token: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(token) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(power) - part.length + digits.length - significant.length}`;
}

export const isNumberToken = (text: string) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text);

/** Whether a type holds the number exactly, by arithmetic on its digits. */
export const HOLDS: Readonly<Record<'bigint' | 'decimal(38,9)' | 'double', (token: string) => boolean>> = {
  bigint: (token) => {
    const scaled = integerAt(token, 0);
    return scaled !== undefined && scaled >= -(2n ** 63n) && scaled < 2n ** 63n;
  },
  'decimal(38,9)': (token) => {
    const scaled = integerAt(token, 9);
    return scaled !== undefined && scaled > -(10n ** 38n) && scaled < 10n ** 38n;
  },
  double: (token) => Number.isFinite(Number(token)) && decimalOf(String(Number(token))) === decimalOf(token),
};

/** The number × 10^scale, where that is an integer of a size to speak of. */
function integerAt(token: string, scale: number): bigint | undefined {
  const decimal = decimalOf(token);
  if (decimal === '0') return 0n;
  const [digits = '0', power = '0'] = decimal.split('e');
  const shift = Number(power) + scale;
  return shift >= 0 && shift < 100 ? BigInt(digits) * 10n ** BigInt(shift) : undefined;
}

/** A moment or day as a string tells it; `sentinel` for the year 1's first. */
export type Moment =
  | 'sentinel'
  | { readonly format: Format; readonly ms: number; readonly isLocal: boolean; readonly isCut: boolean };

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const YEAR_1 = utc([1, 1, 1]) ?? 0;
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?([Zz]|[-+]\d\d(?::?\d\d)?))?)?$/;
const DAY_MONTH = /^(\d{1,2})([./])(\d{1,2})[./](\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AP])M)?)?$/i;
const RFC1123 =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) (GMT|UTC|UT|Z|[-+]\d{4})$/;

/** Every way to read a string as a moment or a day: none, one, or two where day and month may be either. */
export function momentsOf(text: string): readonly Moment[] {
  return [...isoOf(text), ...dotnetOf(text), ...rfcOf(text), ...dayMonthOf(text)];
}

function isoOf(text: string): readonly Moment[] {
  const [all, year, month, day, hour, minute, second, fraction = '', zone] = ISO.exec(text) ?? [];
  if (all === undefined) return [];
  const wall = utc([year, month, day, hour, minute, second, fraction.slice(0, 3).padEnd(3, '0')]);
  if (wall === undefined) return [];
  if (hour === undefined) return momentOf('YYYY-MM-DD', wall);
  const isCut = /[1-9]/.test(fraction.slice(3));
  if (zone === undefined) return momentOf('iso-local', wall, { isLocal: true, isCut });
  const offset = offsetOf(zone);
  if (offset === undefined) return [];
  return wall === YEAR_1 ? ['sentinel'] : momentOf('iso', wall - offset * 60_000, { isCut });
}

function dotnetOf(text: string): readonly Moment[] {
  const [, ms] = /^\/Date\((-?\d{1,15})(?:[-+]\d{4})?\)\/$/.exec(text) ?? [];
  return ms === undefined ? [] : momentOf('/Date(ms)/', Number(ms));
}

function rfcOf(text: string): readonly Moment[] {
  const [, day, month = '', year, hour, minute, second, zone = ''] = RFC1123.exec(text) ?? [];
  if (!MONTHS.includes(month)) return [];
  const wall = hour === '24' ? undefined : utc([year, MONTHS.indexOf(month) + 1, day, hour, minute, second]);
  const offset = offsetOf(/\d/.test(zone) ? zone : 'Z');
  return wall === undefined || offset === undefined ? [] : momentOf('rfc1123', wall - offset * 60_000);
}

function dayMonthOf(text: string): readonly Moment[] {
  const [all, first, mark, second, year, hour, minute, seconds, half] = DAY_MONTH.exec(text) ?? [];
  if (all === undefined) return [];
  const hours = half === undefined ? hour : hourOf(Number(hour), half);
  if (half !== undefined && hours === undefined) return [];
  const clock = hour === undefined ? '' : ' hh:mm:ss';
  const read = (order: string, day: string | undefined, month: string | undefined) => {
    const wall = utc([year, month, day, hours, minute, seconds]);
    return wall === undefined
      ? []
      : momentOf(`${order}${clock}` as Format, wall, { isLocal: hour !== undefined });
  };
  if (mark === '.') return read('DD.MM.YYYY', first, second);
  const both = [...read('DD/MM/YYYY', first, second), ...read('MM/DD/YYYY', second, first)];
  return both.includes('sentinel') ? ['sentinel'] : both;
}

function momentOf(
  format: Format,
  ms: number,
  { isLocal = false, isCut = false }: { isLocal?: boolean; isCut?: boolean } = {},
): readonly Moment[] {
  if (ms === YEAR_1) return ['sentinel'];
  const isInYears = ms > YEAR_1 && ms < 253_402_300_800_000;
  return isInYears ? [{ format, ms, isLocal, isCut }] : [];
}

function hourOf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

function offsetOf(zone: string): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = /^([-+])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

type Parts = readonly (string | number | undefined)[];

/** Milliseconds since 1970 of a clock's reading; undefined where no calendar or clock shows it. 24:00:00 is allowed. */
function utc(parts: Parts): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = parts.map((part) =>
    Number(part ?? 0),
  );
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const isTime = minute < 60 && second < 60 && (hour < 24 || (hour === 24 && minute + second + ms === 0));
  return isDay && isTime && year > 0
    ? date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + ms
    : undefined;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The earliest instant at which a clock of the zone shows the wall time, searched hour by hour; undefined in a gap. */
export function instantOf(wall: number, zone: string): number | undefined {
  const hours = Array.from({ length: 29 }, (_, index) => (index - 14) * 3_600_000);
  const offsets = new Set(hours.map((shift) => wallAt(wall + shift, zone) - (wall + shift)));
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => wallAt(instant, zone) === wall)
    .sort((a, b) => a - b)[0];
}

function wallAt(instant: number, zone: string): number {
  const whole = Math.floor(instant / 1000) * 1000;
  const formatter = formatters.get(zone) ?? formatterOf(zone);
  const parts = new Map<string, number>(
    formatter.formatToParts(whole).map(({ type, value }) => [type, Number(value)]),
  );
  const shown = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) => parts.get(name));
  return (utc(shown) ?? 0) + instant - whole;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const shown = 'numeric' as const;
  const numeric = { year: shown, month: shown, day: shown, hour: shown, minute: shown, second: shown };
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...numeric });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** The text of a cell as `changes` and masks have it. */
export function textOf(cell: string, type: string): string {
  if (type === 'timestamp') return new Date(Number(cell)).toISOString();
  if (type === 'date') return new Date(Number(cell)).toISOString().slice(0, 10);
  if (type === 'bigint' || type === 'decimal(38,9)') return positional(cell);
  if (type !== 'double') return cell;
  // As DuckDB writes doubles.
  const number = Number(cell);
  const power = number === 0 ? 0 : Math.floor(Math.log10(Math.abs(number)));
  return power < -4 || power >= 16
    ? number.toExponential().replace(/e([-+])(\d)$/, 'e$10$2')
    : String(number);
}

/** A number of `decimalOf` without a power. */
function positional(cell: string): string {
  const [digits = '', power = '0'] = cell.split('e');
  const [sign, plain] = digits.startsWith('-') ? ['-', digits.slice(1)] : ['', digits];
  if (Number(power) >= 0) return `${sign}${plain}${'0'.repeat(Number(power))}`;
  const filled = plain.padStart(1 - Number(power), '0');
  return `${sign}${filled.slice(0, Number(power))}.${filled.slice(Number(power))}`;
}
