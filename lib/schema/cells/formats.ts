import * as z from 'zod';
import type { ColumnType } from '../../column-types.ts';
import type { ValueClass } from '../columns/value-classes.ts';

interface FormatForm {
  readonly type: Extract<ColumnType, 'timestamp' | 'date'>;
  /** The classes of values that the format reads. */
  readonly classes: readonly ValueClass[];
  /** True if the text has no offset: it means a moment only together with a time zone. */
  readonly isLocal?: true;
  /** In texts with slashes: whether day or month comes first. */
  readonly order?: 'day' | 'month';
  /**
   * The number counts seconds, milliseconds, … since 1970. This applies only if the column's name has a word
   * of time.
   */
  readonly isEpoch?: true;
}

/** How text and numbers are read as moments and days, by the names that config and `schema show` use. */
const FORMATS = {
  iso: { type: 'timestamp', classes: ['iso', 'isoCut', 'isoOld', 'zeroTime'] },
  '/Date(ms)/': { type: 'timestamp', classes: ['dotnet'] },
  rfc1123: { type: 'timestamp', classes: ['rfc1123'] },
  'iso-local': { type: 'timestamp', classes: ['isoLocal', 'isoLocalCut'], isLocal: true },
  'DD.MM.YYYY hh:mm:ss': { type: 'timestamp', classes: ['germanTime'], isLocal: true },
  'DD/MM/YYYY hh:mm:ss': {
    type: 'timestamp',
    classes: ['slashTime', 'slashTimeDayFirst'],
    isLocal: true,
    order: 'day',
  },
  'MM/DD/YYYY hh:mm:ss': {
    type: 'timestamp',
    classes: ['slashTime', 'slashTimeMonthFirst'],
    isLocal: true,
    order: 'month',
  },
  'unix-seconds': { type: 'timestamp', classes: ['seconds', 'secondsFraction'], isEpoch: true },
  'unix-milliseconds': { type: 'timestamp', classes: ['milliseconds'], isEpoch: true },
  'unix-microseconds': { type: 'timestamp', classes: ['microseconds'], isEpoch: true },
  'unix-nanoseconds': { type: 'timestamp', classes: ['nanoseconds', 'nanosecondsDouble'], isEpoch: true },
  'YYYY-MM-DD': { type: 'date', classes: ['isoDate'] },
  'DD.MM.YYYY': { type: 'date', classes: ['germanDate'] },
  'DD/MM/YYYY': { type: 'date', classes: ['slashDate', 'slashDateDayFirst'], order: 'day' },
  'MM/DD/YYYY': { type: 'date', classes: ['slashDate', 'slashDateMonthFirst'], order: 'month' },
} as const satisfies Readonly<Record<string, FormatForm>>;

export type Format = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

/** What a format reads, and what it needs for that. */
export function formatForm(format: Format): FormatForm {
  return FORMATS[format];
}

/** Digits in text that may count since 1970. */
export const EPOCH_TEXTS = [
  'secondsText',
  'millisecondsText',
  'microsecondsText',
  'nanosecondsText',
] as const satisfies readonly ValueClass[];

/** The classes of a format that counts since 1970, as numbers and as digits in text. */
export function epochClasses({ classes }: FormatForm): readonly ValueClass[] {
  return [...classes, ...EPOCH_TEXTS.filter((each) => each === `${classes[0]}Text`)];
}

/** How one source's values of a column are read; part of what a schema keeps. */
export const readingForm = z.object({
  formats: z.array(z.enum(FORMAT_NAMES)).readonly(),
  /** IANA zone of the source's texts without offset, whether the column has any or not. */
  timeZone: z.string().optional(),
  /** True if the config wants a type of numbers or moments, so that digits in text are read as such. */
  readsDigitsInText: z.literal(true).optional(),
  /** True if the config wants booleans, so that 0 and 1 are read as such. */
  readsZeroAndOne: z.literal(true).optional(),
  /** True if `""` came on two earlier dates: it is null and not news. */
  isEmptyKnown: z.literal(true).optional(),
  /** What 1970-01-01T00:00:00Z means: never if all other times are years later, a time if one is not. */
  zeroTime: z.enum(['never', 'time']).optional(),
  /** What the API's words mean, by the config: `{"ON": true}`. */
  values: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])).optional(),
});

export type Reading = Readonly<z.infer<typeof readingForm>>;

/** The part of a reading that may change what a value means: words, numbers in text, 0 and 1. */
export type Meant = Pick<Reading, 'values' | 'readsDigitsInText' | 'readsZeroAndOne'>;

/** A reading in words, for `schema_columns` and `schema show`; null without anything to say. */
export function readingText(reading: Reading): string | null {
  const { formats, timeZone, readsDigitsInText, readsZeroAndOne, values } = reading;
  const isLocal = formats.some((format) => formatForm(format).isLocal);
  const zone = isLocal && timeZone !== undefined ? ` in ${timeZone}` : '';
  const more = [
    ...(readsDigitsInText === true ? ['digits in text'] : []),
    ...(readsZeroAndOne === true ? ['0 and 1'] : []),
    ...Object.entries(values ?? {}).map(([word, meaning]) => `${word} = ${meaning}`),
  ];
  return formats.length + more.length === 0 ? null : `${[...formats, ...more].join(', ')}${zone}`;
}
