import type { Cell } from '../healthy/truth.ts';
import type { Field, FieldKind } from './fields.ts';

/*
 * Changes of what a field says. Each knows what a report of it must name; it shares no code and no word with the product.
 */

/** A value, or undefined where the record has the field no more. */
export type Said = Cell | readonly Cell[];

export interface FieldChange {
  readonly name: string;
  /** Of fields of these kinds. */
  readonly of: readonly FieldKind[];
  /** All fields of these kinds in the source change, as the clock of a server does. @default the one field */
  readonly areAll?: true;
  readonly becomes: (value: string | number | boolean) => Said;
  /** The name that the field has since. @default its own */
  readonly renamed?: (field: string) => string;
  /** Texts that the report must have for what it was, and for what it is: one of each. */
  readonly names: (seen: Seen) => { readonly before: readonly string[]; readonly after: readonly string[] };
}

/** The values of the records that are there before and after. */
export interface Seen {
  readonly field: Field;
  readonly before: readonly (string | number | boolean)[];
  readonly after: readonly Said[];
  /** Records of the table before and after. */
  readonly records: { readonly before: number; readonly after: number; readonly filled: number };
}

const HOUR = 3_600_000;
const two = (number: number) => String(number).padStart(2, '0');
const seconds = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;

function german(date: Date): string {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return `${two(day)}.${two(month)}.${year} ${date.toISOString().slice(11, 19)}`;
}

/** How a value is written, without the value: digits are 9, letters are x. */
const formOf = (value: unknown) => String(value).replace(/\p{L}/gu, 'x').replace(/\d/g, '9');
const formsOf = (values: readonly unknown[]) => [...new Set(values.map(formOf))];
const wordsOf = (values: readonly unknown[]) => [...new Set(values.map(String))];

const empties = (
  name: string,
  of: readonly FieldKind[],
  to: Said,
  renamed?: FieldChange['renamed'],
): FieldChange => ({
  name,
  of,
  becomes: (value) => (renamed === undefined ? to : value),
  ...(renamed !== undefined && { renamed }),
  names: ({ records }) => ({
    before: [`${records.filled} of ${records.before}`],
    after: [`0 of ${records.after}`],
  }),
});

const grows = (name: string, of: readonly FieldKind[], factor: number, said: string): FieldChange => ({
  name,
  of,
  becomes: (value) => Number((Number(value) * factor).toPrecision(15)),
  names: () => ({ before: ['before', 'were'], after: [said] }),
});

const shifts = (hours: number): FieldChange => ({
  name: `times shift by ${hours} h`,
  of: ['time', 'epoch'],
  areAll: true,
  becomes: (value) =>
    typeof value === 'number'
      ? value + hours * 3600
      : seconds(new Date(Date.parse(String(value)) + hours * HOUR)),
  names: () => ({ before: ['before', 'were'], after: [`${Math.abs(hours)} h`] }),
});

const written = (name: string, of: readonly FieldKind[], becomes: FieldChange['becomes']): FieldChange => ({
  name,
  of,
  becomes,
  names: ({ before, after }) => ({ before: formsOf(before), after: formsOf(after) }),
});

const typed = (
  name: string,
  of: readonly FieldKind[],
  becomes: FieldChange['becomes'],
  kinds: readonly [string, string],
): FieldChange => ({
  name,
  of,
  becomes,
  names: () => ({ before: [kinds[0]], after: [kinds[1]] }),
});

const worded = (name: string, becomes: FieldChange['becomes']): FieldChange => ({
  name,
  of: ['words'],
  becomes,
  names: ({ before, after }) => ({ before: wordsOf(before), after: wordsOf(after) }),
});

const ALL: readonly FieldKind[] = [
  'epoch of today',
  'time',
  'epoch',
  'amount',
  'share',
  'yes',
  'words',
  'code',
  'text',
];
const TIMES: readonly FieldKind[] = ['time'];

export const FIELD_CHANGES: readonly FieldChange[] = [
  empties('null', ALL, null),
  empties('empty text', ['time', 'words', 'code', 'text'], ''),
  empties('a new name that has the old one', ALL, null, (field) => `${field}_value`),
  grows('in thousands', ['amount'], 0.001, '1000'),
  grows('times a thousand', ['amount', 'epoch'], 1000, '1000'),
  grows('bytes as GB', ['amount'], 1e-9, '1000000000'),
  grows('bytes as KiB', ['amount'], 1 / 1024, '10'),
  grows('minutes as seconds', ['amount'], 60, '60'),
  grows('a fraction as percent', ['share'], 100, '100'),
  ...[-8, -5, -2, -1, 1, 2, 5.5, 9].map(shifts),
  written('German times', TIMES, (value) => german(new Date(String(value)))),
  written('HTTP times', TIMES, (value) => new Date(String(value)).toUTCString()),
  written('times without a zone', TIMES, (value) => String(value).replace('Z', '')),
  typed('times as seconds', TIMES, (value) => Date.parse(String(value)) / 1000, ['text', 'number']),
  typed('seconds as times', ['epoch', 'epoch of today'], (value) => seconds(new Date(Number(value) * 1000)), [
    'number',
    'text',
  ]),
  typed('numbers in text', ['amount', 'share', 'epoch'], (value) => String(value), ['number', 'text']),
  typed('numbers with a unit', ['amount', 'share'], (value) => `${value} GB`, ['number', 'text']),
  typed('a list of one', ['words', 'code', 'text', 'amount'], (value) => [value], ['', 'list']),
  typed('yes and no', ['yes'], (value) => (value === true ? 'yes' : 'no'), ['true', 'text']),
  typed('one and zero', ['yes'], (value) => (value === true ? 1 : 0), ['true', 'number']),
  written('a prefix', ['code'], (value) => `ID/${value}`),
  written('another separator', ['code'], (value) => String(value).replace(/[A-Z]+/, '$&.')),
  {
    ...worded('small letters', (value) => String(value).toLowerCase()),
    // Of texts that hardly two records share only the form is kept, so the message says how they differ.
    names: ({ before, after }) =>
      3 * wordsOf(before).length > 2 * before.length
        ? { before: ['than before'], after: ['upper and lower case'] }
        : { before: wordsOf(before), after: wordsOf(after) },
  },
  worded('other words', (value) => [...String(value)].reverse().join('').toUpperCase()),
];
