import { type ColumnType, duckdbType, isNumeric } from '../../column-types.ts';
import { HALF_MARK, SECRET_MARK } from '../../lake/raw/marks.ts';
import { quoteLiteral } from '../../sql.ts';
import { EPOCHS, formatsOf, heldClasses, neverClasses, type Rejects } from '../columns/column-fit.ts';
import { DAY_MONTH_CLASSES, VALUE_CLASSES, type ValueClass } from '../columns/value-classes.ts';
import { EPOCH_TEXTS, formatForm, type Meant, type Reading } from './formats.ts';
import { LOCAL } from './readings.ts';

/** What the SQL of a cell needs of a decision, for one source. */
export interface CellForm {
  readonly type: ColumnType;
  readonly reading: Reading;
  /** What the run's profiles expect to be rejected at least; missing without profiles. */
  readonly rejects?: Rejects | undefined;
}

/**
 * How a source's values become the cells of a column: the source's part of the decision. A source without
 * such a part has no format.
 */
export function cellForm(
  decision: {
    readonly type: ColumnType;
    readonly readings: Readonly<Record<string, Reading>>;
    readonly rejects?: Readonly<Record<string, Rejects>>;
  },
  source: string,
): CellForm {
  const { type, readings, rejects } = decision;
  return { type, reading: readings[source] ?? { formats: [] }, rejects: rejects?.[source] };
}

/**
 * SQL of a typed cell, made from a value's JSON text. `value` is SQL too, best a column's name, because it is
 * repeated. The cell holds the value exactly, or a moment in UTC cut to the millisecond, or null. When the
 * clocks of a zone change, one hour is skipped: a local time in it becomes null. Another hour comes twice: a
 * local time in it counts as the earlier. Needs CELL_MACROS.
 */
export function valueSql(form: CellForm, value: string): string {
  const { values = {} } = form.reading;
  const plain = plainValueSql(form, value);
  const meanings = Object.entries(values).map(
    ([word, meaning]) =>
      `WHEN ${quoteLiteral(word)} THEN ${plainValueSql(form, quoteLiteral(JSON.stringify(meaning)))}`,
  );
  return meanings.length === 0 ? plain : `CASE cell_text(${value}) ${meanings.join(' ')} ELSE ${plain} END`;
}

/**
 * SQL of the JSON text that a value means by the config: the meaning if the value is one of its words, otherwise the
 * value. It serves to count what values are; `valueSql` makes the cell itself. Undefined where each value means itself.
 */
export function meantSql(
  { values = {}, readsDigitsInText, readsZeroAndOne }: Meant,
  value: string,
): string | undefined {
  const meanings = Object.entries(values).map(
    ([word, meaning]) => `WHEN ${quoteLiteral(word)} THEN ${quoteLiteral(JSON.stringify(meaning))}`,
  );
  const numbers = readsDigitsInText === true ? `unquoted_number(${value})` : value;
  const switched = `CASE cell_switch(${value}) WHEN true THEN 'true' WHEN false THEN 'false' ELSE ${numbers} END`;
  const read = readsZeroAndOne === true ? switched : numbers;
  if (meanings.length > 0) return `CASE cell_text(${value}) ${meanings.join(' ')} ELSE ${read} END`;
  return read === value ? undefined : read;
}

function plainValueSql({ type, reading }: CellForm, value: string): string {
  if (type === 'timestamp' || type === 'date')
    return `(${momentSql({ type, reading }, value)})::${duckdbType(type)}`;
  if (type === 'boolean' && reading.readsZeroAndOne === true) return `cell_switch(${value})`;
  const number = reading.readsDigitsInText === true ? `unquoted_number(${value})` : value;
  return `${CELL_MACRO[type]}(${isNumeric(type) ? number : value})`;
}

/**
 * SQL of the reason why a value is not in its cell as the API sent it. `type` and `sentinel` leave the cell
 * null, `secret` means a replaced key, `precision` means cut digits. Null if nothing is lost. `cell` is SQL
 * of the cell. Needs CELL_MACROS.
 */
export function rejectSql(
  form: CellForm,
  { value, cell }: { readonly value: string; readonly cell: string },
): string {
  const { type, reading, rejects } = form;
  if (type === 'varchar' && rejects !== undefined && rejects.precision + rejects.sentinel > 0)
    return `CASE WHEN ${IS_SECRET(value)} THEN 'secret' WHEN ${IS_HALVED(value)} THEN 'precision' WHEN is_no_number(${value}) THEN 'sentinel' END`;
  const isUnsure =
    reading.readsDigitsInText === true ||
    reading.readsZeroAndOne === true ||
    reading.formats.some((format) => formatForm(format).isLocal);
  const isPossible = (reason: keyof Rejects) =>
    rejects === undefined || rejects[reason] > 0 || (reason === 'type' && isUnsure);
  if (type === 'varchar' || !(['type', 'sentinel', 'precision'] as const).some(isPossible))
    return 'NULL::VARCHAR';
  const never = type === 'timestamp' || type === 'date' ? neverClasses(type, reading) : [];
  // DuckDB plans text_moment in a quarter of the time of cell_class.
  const ofNever = never.includes('zero') ? `cell_class(${value})` : `text_moment(${value}).class`;
  const isNever = never.length > 0 ? ` OR ${ofNever} IN (${codes(never)})` : '';
  const isSentinel = `(${value} = '""' OR is_no_number(${value})${isNever})`;
  const precision =
    type === 'timestamp' && isPossible('precision') ? `WHEN ${CUT(value)} THEN 'precision'` : '';
  const silent = reading.isEmptyKnown === true ? `'null', '{}', '""'` : `'null', '{}'`;
  return `CASE
      WHEN ${value} IS NULL OR ${value} IN (${silent}) THEN NULL
      WHEN ${cell} IS NULL THEN CASE WHEN ${isSentinel} THEN 'sentinel' WHEN ${IS_SECRET(value)} THEN 'secret' ELSE 'type' END
      ${precision}
    END`;
}

const CELL_MACRO: Readonly<Record<Exclude<ColumnType, 'timestamp' | 'date'>, string>> = {
  boolean: 'cell_boolean',
  bigint: 'cell_bigint',
  'decimal(38,9)': 'cell_decimal',
  double: 'cell_double',
  varchar: 'cell_text',
};

/**
 * SQL that is true if a string has half a surrogate pair. Its cell has U+FFFD there; arrays and objects keep
 * the escape.
 */
const IS_HALVED = (value: string) => `(${value} < '#' AND contains(${value}, '${HALF_MARK}'))`;

/** SQL that is true if a secret was replaced in the string. */
const IS_SECRET = (value: string) => `(${value} < '#' AND contains(${value}, '${SECRET_MARK}'))`;

/** Digits other than 0 beyond the milliseconds. */
const CUT = (value: string) => `regexp_matches(${value}, ':[0-9]{2}[.][0-9]{3}[0-9]*[1-9]')`;

const codes = (classes: readonly ValueClass[]) => classes.map((each) => VALUE_CLASSES[each]).join(', ');

/** First comes a cheap test that fits nearly all values, then a branch for each of this source's text forms. */
function momentSql(
  { type, reading }: { type: 'timestamp' | 'date'; reading: Reading },
  value: string,
): string {
  const formats = formatsOf(type, reading);
  if (formats.length === 0) return 'NULL';
  const held = heldClasses(type, reading);
  const branches = FORMS.flatMap(({ classes, sql }) => {
    const read = classes.filter((each) => held.includes(each));
    return read.length === 0 ? [] : [sql({ value, read, reading })];
  });
  const rest = branches.length === 0 ? 'NULL' : `CASE\n      ${branches.join('\n      ')}\n    END`;
  const quick = type === 'date' ? `plain_date(${value})` : `plain_moment(${value})`;
  const isQuick = held.includes(type === 'date' ? 'isoDate' : 'iso');
  const never = reading.zeroTime === 'never' ? `nullif(${quick}, TIMESTAMP '1970-01-01')` : quick;
  return isQuick ? `coalesce(${type === 'date' ? quick : never}, ${rest})` : rest;
}

interface FormContext {
  readonly value: string;
  /** Those of the form's classes that are read. */
  readonly read: readonly ValueClass[];
  readonly reading: Reading;
}

interface Form {
  readonly classes: readonly ValueClass[];
  /** WHEN … THEN …: a cheap test for a text of this form, and the moment that the text means. */
  readonly sql: (context: FormContext) => string;
}

const ISO: readonly ValueClass[] = [
  'iso',
  'isoCut',
  'isoOld',
  'zeroTime',
  'isoLocal',
  'isoLocalCut',
  'isoDate',
];
const EPOCH: readonly ValueClass[] = [...EPOCHS, ...EPOCH_TEXTS];

const FORMS: readonly Form[] = [
  {
    classes: ISO,
    sql: (context) => `WHEN is_year_first(${context.value}) THEN ${fromText('iso_moment', context)}`,
  },
  {
    classes: ['dotnet'],
    sql: (context) => `WHEN starts_with(${context.value}, '"/D') THEN ${fromText('dotnet_moment', context)}`,
  },
  {
    classes: ['rfc1123'],
    sql: (context) =>
      `WHEN substr(${context.value}, 5, 1) = ',' OR is_js_date(${context.value}) THEN ${fromText('rfc1123_moment', context)}`,
  },
  {
    classes: DAY_MONTH_CLASSES,
    sql: (context) =>
      `WHEN substr(${context.value}, 3, 2) SIMILAR TO '.*[./].*' THEN ${fromText('day_month_moment', context)}`,
  },
  {
    classes: EPOCH,
    sql: (context) =>
      `WHEN regexp_matches(${context.value}, '^"?[1-9]') OR is_marked_number(${context.value}) THEN ${fromText('epoch_moment', context)}`,
  },
];

/** The moment that a macro of time-macros.ts reads, if its class is read. Local times use the source's zone. */
function fromText(macro: string, { value, read, reading }: FormContext): string {
  const isLocal = (each: ValueClass) => LOCAL.includes(each);
  const monthFirst = reading.formats.some((format) => formatForm(format).order === 'month');
  const moment = monthFirst ? 'coalesce(x__.other, x__.moment)' : 'x__.moment';
  const local = read.filter(isLocal);
  const branches = [
    `WHEN x__.class IN (${codes(read.filter((each) => !isLocal(each)))}) THEN ${moment}`,
    `WHEN x__.class IN (${codes(local)}) THEN instant_of_wall(${moment}, ${quoteLiteral(reading.timeZone ?? 'UTC')})`,
  ].filter((branch) => !branch.includes('IN ()'));
  return `list_transform([${macro}(${value})], lambda x__: CASE ${branches.join(' ')} END)[1]`;
}
