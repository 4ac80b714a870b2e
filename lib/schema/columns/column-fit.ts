import * as z from 'zod';
import { type ColumnType, isNumeric, NUMERIC_TYPES, type NumericType } from '../../column-types.ts';
import { epochClasses, FORMAT_NAMES, type Format, formatForm, type Reading } from '../cells/formats.ts';
import type { Evidence } from '../cells/readings.ts';
import { countOf, type ValueClass } from './value-classes.ts';

/** Numbers that every type holds exactly. */
const WHOLE: readonly ValueClass[] = [
  'number',
  'zero',
  'seconds',
  'milliseconds',
  'microseconds',
  'nanosecondsDouble',
];

/** Numbers that each type holds exactly. */
const HELD: Readonly<Record<NumericType, readonly ValueClass[]>> = {
  bigint: [...WHOLE, 'nanoseconds', 'numberBigintDecimal'],
  'decimal(38,9)': [
    ...WHOLE,
    'nanoseconds',
    'numberBigintDecimal',
    'numberDecimal',
    'numberDecimalDouble',
    'secondsFraction',
  ],
  double: [...WHOLE, 'numberDouble', 'numberDecimalDouble', 'secondsFraction'],
};

/** Numbers that may be times since 1970. */
export const EPOCHS: readonly ValueClass[] = [
  ...new Set(FORMAT_NAMES.map(formatForm).flatMap((form) => (form.isEpoch === true ? form.classes : []))),
];

export const NUMBERS: readonly ValueClass[] = [
  ...new Set([...NUMERIC_TYPES.flatMap((type) => HELD[type]), 'numberNone' as const]),
];

/**
 * How many values of a source are not in their cells as sent, by the reason in rejects. The classes show
 * nearly all. One misfit is visible only when a value is read, and adds to `type`: a local time in an hour
 * that the clocks skip.
 */
export const rejectsForm = z.object({
  type: z.number(),
  /**
   * Null in the cell, because the value means "no value": NaN, 0001-01-01; also `""` or 0 in a column with a
   * type that lacks it.
   */
  sentinel: z.number(),
  /** In the cell, but cut to the millisecond. Or with U+FFFD for half a surrogate pair, or `[secret]` for a key. */
  precision: z.number(),
});
export type Rejects = Readonly<z.infer<typeof rejectsForm>>;

export interface SourceReading extends Evidence {
  readonly reading: Reading;
}

/** How many of the source's values a column of the type holds. */
export function fitOf(type: ColumnType, { profile, reading }: SourceReading): number {
  if (type === 'varchar') return countOf(profile) - countOf(profile, ['noNumber']);
  return countOf(profile, heldClasses(type, reading));
}

/** How many of the source's values a column of the type does not hold as they are. */
export function rejectsOf(type: ColumnType, source: SourceReading): Rejects {
  const { profile, reading } = source;
  if (type === 'varchar')
    return {
      type: 0,
      sentinel: countOf(profile, ['noNumber']),
      precision: countOf(profile, ['halfPair', 'secret']),
    };
  const sentinel = countOf(profile, sentinelClasses(type, reading));
  const held = heldClasses(type, reading);
  return {
    type: countOf(profile) - fitOf(type, source) - sentinel,
    sentinel: reading.isEmptyKnown === true ? sentinel - countOf(profile, ['empty']) : sentinel,
    precision: countOf(
      profile,
      (['isoCut', 'isoLocalCut'] as const).filter((each) => held.includes(each)),
    ),
  };
}

/** Classes of values that mean "no value" in a column of the type, and so are null. */
function sentinelClasses(type: ColumnType, reading: Reading): readonly ValueClass[] {
  if (type === 'varchar') return ['noNumber'];
  const always = ['empty', 'noNumber'] as const;
  return type === 'timestamp' || type === 'date' ? [...always, ...neverClasses(type, reading)] : always;
}

/** Classes of values that mean "never" in a column of times. */
export function neverClasses(type: 'timestamp' | 'date', reading: Reading): readonly ValueClass[] {
  return [
    'sentinel',
    ...(type === 'timestamp' && readsEpoch(reading) ? (['zero'] as const) : []),
    ...(type === 'timestamp' && reading.zeroTime === 'never' ? (['zeroTime'] as const) : []),
  ];
}

/** Classes with a cell for every value. */
export function heldClasses(type: ColumnType, reading: Reading): readonly ValueClass[] {
  if (type === 'boolean')
    return ['boolean', 'booleanText', ...(reading.readsZeroAndOne === true ? (['zero'] as const) : [])];
  if (isNumeric(type)) return HELD[type];
  const classes = formatsOf(type, reading).flatMap((format) => {
    const form = formatForm(format);
    return form.isEpoch === true && reading.readsDigitsInText === true ? epochClasses(form) : form.classes;
  });
  return reading.zeroTime === 'never' ? classes.filter((each) => each !== 'zeroTime') : classes;
}

/** The reading's formats of the type. */
export function formatsOf(type: ColumnType, reading: Reading): readonly Format[] {
  return reading.formats.filter((format) => formatForm(format).type === type);
}

/** True if numbers are read as moments. */
export const readsEpoch = (reading: Reading): boolean =>
  reading.formats.some((format) => formatForm(format).isEpoch === true);
