import { ceiledShare, flooredShare, roundedUp } from '../../text.ts';
import { HOUR_MS } from '../../time.ts';
import { type Sentence, told } from '../../views/sentence.ts';
import type { Cell, CellKind } from '../report-data.ts';
import { type Translate, translator } from './words.ts';

export type Formats = ReturnType<typeof localFormats>;

export const NOTHING = '–';
/** A trend needs so many known days. */
export const LEAST_DAYS = 4;
/** From two years on, days are more exact than their source. */
const DAYS_BEFORE_YEARS = 730;
/** A day in a sentence. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** How figures are written: numbers and dates by the reader's locale, times by the config's zone. */
export function localFormats(locale: string | undefined, timeZone: string, t: Translate = translator('en')) {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const instant = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  // A day has no time zone: it is the same day for every reader.
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  const shortDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  // A format takes a hundred times longer to make than to use, so each is made once.
  const units = new Map<string, Intl.NumberFormat>();
  const unit = (value: number, name: string) => {
    const maximumFractionDigits = Math.abs(value) < 10 ? 1 : 0;
    const key = `${name} ${maximumFractionDigits}`;
    const format =
      units.get(key) ??
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: name,
        unitDisplay: name === 'day' || name === 'year' ? 'long' : 'short',
        maximumFractionDigits,
      });
    units.set(key, format);
    return format.format(value);
  };
  const bytes = (value: number) => {
    const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3)));
    return unit(value / 1000 ** power, UNITS[power] ?? 'byte');
  };
  const days = (value: number, whole = Math.round) =>
    Math.abs(value) < DAYS_BEFORE_YEARS ? unit(whole(value), 'day') : unit(value / 365.25, 'year');
  const hours = (value: number, whole = Math.round) => {
    if (Math.abs(value) < 1) return unit(whole(value * 60), 'minute');
    return Math.abs(value) < 48 ? unit(whole(value), 'hour') : days(value / 24, whole);
  };
  /** How long ago, with the word: "3 hours ago". */
  const ago = (iso: string, now: number) => {
    const past = (Date.parse(iso) - now) / HOUR_MS;
    if (Math.abs(past) < 1) return relative.format(Math.round(past * 60), 'minute');
    if (Math.abs(past) < 48) return relative.format(Math.round(past), 'hour');
    return relative.format(Math.round(past / 24), 'day');
  };
  /** A cell in the reader's locale; – for an unknown value. */
  const cell = (value: Cell, kind: CellKind): string => {
    if (value === null) return NOTHING;
    switch (kind) {
      case 'number':
        return plain.format(Number(value));
      case 'share':
        return percent.format(flooredShare(Number(value)));
      case 'shareError':
        return percent.format(ceiledShare(Number(value)));
      case 'money':
        return money.format(Number(value));
      case 'bytes':
        return bytes(Number(value));
      case 'hours':
        return hours(Number(value));
      case 'hoursError':
        return hours(Number(value), (each) => roundedUp(each));
      case 'days':
        return days(Number(value));
      case 'time':
        return instant.format(new Date(String(value)));
      case 'age':
        return ago(String(value), Date.now());
      case 'state':
      case 'word':
        return t(String(value));
      default:
        return String(value);
    }
  };
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  /** A difference with its sign; undefined if it rounds to none. */
  const change = (by: number, kind: CellKind) => {
    const told = kind === 'share' ? by * 100 : by;
    if (Math.abs(told) < 0.05) return undefined;
    return kind === 'share' ? t('{by} points', { by: signed.format(told) }) : signed.format(told);
  };
  const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  const timeOfDay = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  /** The time of day of an instant, with the day if it is another than now. */
  const clock = (iso: string) => {
    const at = new Date(iso);
    return dayOf.format(at) === dayOf.format(Date.now()) ? timeOfDay.format(at) : instant.format(at);
  };
  /** A sentence in the reader's language, with its cure. */
  const sentence = (each: Sentence) =>
    told(
      each,
      (text) => t(text),
      (value) => (DATE.test(String(value)) ? day.format(new Date(value)) : String(value)),
    );
  return {
    /** The locale of figures and of the order of texts; undefined = the browser's. */
    locale,
    t,
    cell,
    number: (value: number) => plain.format(value),
    share: (value: number) => percent.format(flooredShare(value)),
    /** Rounded up, as the upper end of a band. */
    shareAtMost: (value: number) => percent.format(ceiledShare(value)),
    sentence,
    /** Without its cure. */
    brief: ({ text, values = {} }: Sentence) => sentence({ text, values }),
    /** A day, YYYY-MM-DD, with the year. */
    day: (date: string) => day.format(new Date(date)),
    /** A day for an axis. */
    shortDay: (date: string) => shortDay.format(new Date(date)),
    time: (iso: string) => instant.format(new Date(iso)),
    clock,
    change,
    ago,
  };
}
