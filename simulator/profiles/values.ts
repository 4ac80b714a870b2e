import { HOUR_MS } from '#lib/time.ts';
import type { Json } from '../json.ts';
import { NEVER } from '../world/clock.ts';
import type { AxisValue } from './axes.ts';

/** A number that JSON.stringify writes exactly so: 5.0, 1.5E11, 9007199254740993, 1e400. */
export function token(text: string): Json {
  // Not in TypeScript's library yet; Node has it since 21.
  return (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(text);
}

/** A time of reference (ISO or unix seconds) in another format. Undefined if the format cannot say "never". */
export function timeValue(value: Json, format: AxisValue<'dates'>): Json | undefined {
  if (format === 'native') return value;
  if (value === NEVER) return never(format);
  const ms = typeof value === 'number' ? value * 1000 : Date.parse(String(value));
  switch (format) {
    case 'offset':
      return `${isoSeconds(ms + HOUR_MS)}+01:00`;
    case 'fraction':
      return `${isoSeconds(ms)}.0000000Z`;
    case 'dotnet':
      return `/Date(${ms}+0100)/`;
    case 'unix':
      return ms / 1000;
    case 'unix-ms':
      return ms;
    case 'rfc1123':
      return new Date(ms).toUTCString();
    case 'local':
      return isoSeconds(berlin(ms));
    case 'sql':
      return isoSeconds(berlin(ms)).replace('T', ' ');
    case 'german': {
      const [date = '', time = ''] = isoSeconds(berlin(ms)).split('T');
      return `${date.split('-').reverse().join('.')} ${time}`;
    }
  }
}

function never(format: AxisValue<'dates'>): Json | undefined {
  switch (format) {
    case 'offset':
      return '0001-01-01T00:00:00+00:00';
    case 'fraction':
      return '0001-01-01T00:00:00.0000000Z';
    case 'dotnet':
      return '/Date(-62135596800000)/';
    case 'rfc1123':
      return 'Mon, 01 Jan 0001 00:00:00 GMT';
    case 'local':
      return '0001-01-01T00:00:00';
    case 'sql':
      return '0001-01-01 00:00:00';
    case 'german':
      return '01.01.0001 00:00:00';
    default:
      return undefined;
  }
}

export function booleanValue(value: boolean, form: AxisValue<'booleans'>): Json {
  switch (form) {
    case 'native':
      return value;
    case 'text':
      return String(value);
    case 'capital':
      return value ? 'True' : 'False';
    case 'number':
      return value ? 1 : 0;
  }
}

/** The same number in another form. */
export function numberValue(value: number, form: AxisValue<'numbers'>): Json {
  switch (form) {
    case 'native':
      return value;
    case 'float':
      return Number.isInteger(value) ? token(`${value}.0`) : value;
    case 'exponent':
      return token(value.toExponential().toUpperCase());
    case 'text':
      return String(value);
  }
}

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
