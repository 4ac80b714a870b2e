import { HOUR_MS } from '#lib/time.ts';
import type { Json } from '../json.ts';
import { NEVER } from '../world/clock.ts';
import type { AxisValue } from './axes.ts';

/** The key in another case; capitals and underscores show its words. */
export function keyIn(key: string, style: AxisValue<'keys'>): string {
  if (style === 'native') return key;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  if (style === 'snake') return words.join('_');
  if (style === 'kebab') return words.join('-');
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return words.map((word, i) => (i === 0 && style === 'camel' ? word : capital(word))).join('');
}

/** A number that JSON.stringify writes exactly so: 5.0, 1.5E11, 9007199254740993, 1e400. */
export function token(text: string): Json {
  // Not in TypeScript's library yet; Node has it since 21.
  return (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(text);
}

/** A time of reference (ISO or unix seconds) in another format. Undefined if the format cannot say "never". */
export function timeValue(value: Json, format: AxisValue<'dates'>): Json | undefined {
  if (format === 'native') return value;
  const { write, never } = TIMES[format];
  if (value === NEVER) return never;
  return write(typeof value === 'number' ? value * 1000 : Date.parse(String(value)));
}

interface TimeFormat {
  write(ms: number): Json;
  readonly never?: string;
}

const TIMES: Readonly<Record<Exclude<AxisValue<'dates'>, 'native'>, TimeFormat>> = {
  offset: {
    write: (ms) => `${isoSeconds(ms + HOUR_MS)}+01:00`,
    never: '0001-01-01T00:00:00+00:00',
  },
  fraction: { write: (ms) => `${isoSeconds(ms)}.0000000Z`, never: '0001-01-01T00:00:00.0000000Z' },
  dotnet: { write: (ms) => `/Date(${ms}+0100)/`, never: '/Date(-62135596800000)/' },
  unix: { write: (ms) => ms / 1000 },
  'unix-ms': { write: (ms) => ms },
  rfc1123: { write: (ms) => new Date(ms).toUTCString(), never: 'Mon, 01 Jan 0001 00:00:00 GMT' },
  local: { write: (ms) => isoSeconds(berlin(ms)), never: '0001-01-01T00:00:00' },
  sql: { write: (ms) => isoSeconds(berlin(ms)).replace('T', ' '), never: '0001-01-01 00:00:00' },
  german: {
    write: (ms) => {
      const [date = '', time = ''] = isoSeconds(berlin(ms)).split('T');
      return `${date.split('-').reverse().join('.')} ${time}`;
    },
    never: '01.01.0001 00:00:00',
  },
};

export const BOOLEANS: Readonly<Record<AxisValue<'booleans'>, (value: boolean) => Json>> = {
  native: (value) => value,
  text: String,
  capital: (value) => (value ? 'True' : 'False'),
  number: Number,
};

/** The same number in another form. */
export const NUMBERS: Readonly<Record<AxisValue<'numbers'>, (value: number) => Json>> = {
  native: (value) => value,
  float: (value) => (Number.isInteger(value) ? token(`${value}.0`) : value),
  exponent: (value) => token(value.toExponential().toUpperCase()),
  text: String,
};

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** The milliseconds at which a clock in UTC shows what a clock in Berlin shows at `ms`. Summer time as in the EU since 1996. */
function berlin(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  const summer = ms >= lastSunday(year, 2) + HOUR_MS && ms < lastSunday(year, 9) + HOUR_MS;
  return ms + (summer ? 2 : 1) * HOUR_MS;
}

/** Midnight UTC of the last Sunday of a month of 31 days, months from 0. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31));
  return last.getTime() - last.getUTCDay() * 24 * HOUR_MS;
}
