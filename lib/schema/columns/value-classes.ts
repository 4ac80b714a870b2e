/**
 * The classes of JSON values that decide a column's type. Every value except null has exactly one class; the
 * SQL macro `cell_class` returns its code. The choice needs only the count of values in each class.
 */
export const VALUE_CLASSES = {
  text: 0,
  /** `""` */
  empty: 1,
  /** `"true"` and `"false"` in any case. */
  booleanText: 2,
  /** A moment with an offset; `isoCut` has digits other than 0 beyond the milliseconds. */
  iso: 3,
  isoCut: 4,
  /** The same without offset. */
  isoLocal: 5,
  isoLocalCut: 6,
  isoDate: 7,
  /** 0001-01-01 at midnight, in any of the formats: no value. */
  sentinel: 8,
  germanTime: 9,
  germanDate: 10,
  /** Day and month with slashes: either order fits, only the day first does, only the month first does. */
  slashTime: 11,
  slashTimeDayFirst: 12,
  slashTimeMonthFirst: 13,
  slashDate: 14,
  slashDateDayFirst: 15,
  slashDateMonthFirst: 16,
  dotnet: 17,
  rfc1123: 18,
  /** Digits in a string that may be a moment between the years 2000 and 2100. */
  secondsText: 19,
  millisecondsText: 20,
  microsecondsText: 21,
  nanosecondsText: 22,
  /** A moment with an offset: 1970-01-01 at midnight in UTC, and one before 1980. */
  zeroTime: 23,
  isoOld: 30,
  boolean: 24,
  array: 25,
  object: 26,
  /** A string with a code unit that no cell holds: half a surrogate pair. */
  halfPair: 27,
  /** A string in which a secret was replaced. */
  secret: 29,
  /** NaN, Infinity and -Infinity: no value. */
  noNumber: 28,
  /**
   * Numbers, by the types that hold them exactly. The code is 32, plus 1 for bigint, 2 for decimal and 4 for double.
   */
  numberNone: 32,
  numberDecimal: 34,
  numberBigintDecimal: 35,
  numberDouble: 36,
  numberDecimalDouble: 38,
  /** All three hold it, and the next three. */
  number: 39,
  zero: 40,
  /** Whole seconds, milliseconds, … since 1970 of a moment between the years 2000 and 2100. */
  seconds: 41,
  milliseconds: 42,
  /** Seconds with a fraction of up to five digits. */
  secondsFraction: 43,
  microseconds: 44,
  /** A double holds `nanosecondsDouble` exactly. */
  nanoseconds: 45,
  nanosecondsDouble: 46,
} as const;

export type ValueClass = keyof typeof VALUE_CLASSES;

export const SLASHED_TIMES: readonly ValueClass[] = ['slashTime', 'slashTimeDayFirst', 'slashTimeMonthFirst'];
export const SLASHED: readonly ValueClass[] = [
  ...SLASHED_TIMES,
  'slashDate',
  'slashDateDayFirst',
  'slashDateMonthFirst',
];
/** Day, month and year with dots or slashes between them. */
export const DAY_MONTH_CLASSES: readonly ValueClass[] = ['germanTime', 'germanDate', ...SLASHED];

/** The code that the SQL macro `quick_class` returns if only the slower `cell_class` can find the class. */
export const UNKNOWN_CLASS = 63;

/** What one source's values at one path were, over a whole run. */
export interface ColumnProfile {
  /** Records, whether they had the value or not. */
  readonly records: number;
  /** Values by class; null and missing ones have none. */
  readonly counts: Readonly<Partial<Record<ValueClass, number>>>;
}

/** A profile of nothing. */
export const NO_VALUES: ColumnProfile = { records: 0, counts: {} };

/** The profile of two parts of a run together. So a column's type does not depend on how the run was cut into parts. */
export function mergeProfiles(a: ColumnProfile, b: ColumnProfile): ColumnProfile {
  const counts: Partial<Record<ValueClass, number>> = { ...a.counts };
  for (const [name, count] of classCounts(b)) counts[name] = (counts[name] ?? 0) + count;
  return { records: a.records + b.records, counts };
}

/** How many values are of one of the classes, or of any. */
export function countOf(profile: ColumnProfile, classes?: readonly ValueClass[]): number {
  return classCounts(profile)
    .filter(([name]) => classes === undefined || classes.includes(name))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** The share of records with a null or missing value; 0 without records. */
export function nullShare(profile: ColumnProfile): number {
  return profile.records === 0 ? 0 : 1 - countOf(profile) / profile.records;
}

function classCounts(profile: ColumnProfile): readonly (readonly [ValueClass, number])[] {
  return Object.entries(profile.counts) as [ValueClass, number][];
}
