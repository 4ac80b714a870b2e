import type { Shape } from './shape.ts';
import { STRAYS } from './words.ts';

export type Day = 0 | 1;
export type Row = Readonly<Record<string, unknown>>;

/** The records that a listing has on a day; `salt` tells the listings of two parents apart. */
export function recordsOf(shape: Shape, day: Day, salt = 0): readonly Row[] {
  return Array.from({ length: shape.counts[day] }, (_, index) => {
    const number = numberOf(index, salt);
    return {
      ...ID_FORMS[shape.id].member(number),
      Label: `Display ${number}`,
      Seen: `2026-11-2${day}T03:00:00Z`,
      Lit: number % 3 === 0,
    };
  });
}

/** The same, with the error that stands in the place of a record on that day. */
export function entriesOf(shape: Shape, day: Day, salt?: number): readonly Row[] {
  const records = recordsOf(shape, day, salt);
  const { stray } = shape;
  if (stray === null || !hasStray(shape, day, salt)) return records;
  return records.with(stray.at % records.length, STRAYS[stray.kind] ?? {});
}

/** True where a list has an error on that day: the players without `salt`, the first one's screens with 1. */
export function hasStray({ stray, counts }: Shape, day: Day, salt?: number): boolean {
  const list = salt === undefined ? 'players' : salt === 1 ? 'screens' : null;
  return stray?.day === day && stray.list === list && counts[day] > 0;
}

export const numberOf = (index: number, salt = 0): number => salt * 1000 + index + 1;

/** The text of the id of the record with that number. */
export const idTextOf = (shape: Shape, number: number): string => ID_FORMS[shape.id].text(number);

/** The setting `id`. */
export const idFieldOf = (shape: Shape): string => ID_FORMS[shape.id].field;

interface IdServed {
  readonly field: string;
  readonly text: (number: number) => string;
  readonly member: (number: number) => Row;
  /** The number as the server writes it. */
  readonly written?: (number: number) => string;
}

const named = (field: string): IdServed => ({ field, text: String, member: (id) => ({ [field]: id }) });
const oidOf = (number: number) => number.toString(16).padStart(24, '5f2a9c');

export const ID_FORMS: Readonly<Record<Shape['id'], IdServed>> = {
  Id: named('Id'),
  id: named('id'),
  PlayerId: named('PlayerId'),
  guid: { field: 'Guid', text: guidOf, member: (number) => ({ Guid: guidOf(number) }) },
  text: { field: 'Id', text: (number) => `s-${number}/ü`, member: (number) => ({ Id: `s-${number}/ü` }) },
  point: { ...named('Id'), written: (number) => `${number}.0` },
  exponent: {
    field: 'Id',
    text: (number) => String(number * 1000),
    member: (number) => ({ Id: number * 1000 }),
    written: (thousands) => `${thousands / 1000}e3`,
  },
  below: { field: 'node.Id', text: String, member: (number) => ({ node: { Id: number } }) },
  oid: { field: '_id.$oid', text: oidOf, member: (number) => ({ _id: { $oid: oidOf(number) } }) },
  link: {
    field: '_links.self.href/*',
    text: String,
    member: (number) => ({ _links: { self: { href: `/api/things/${number}` } } }),
  },
};

function guidOf(number: number): string {
  return `3f2504e0-4f89-41d3-9a0c-${number.toString(16).padStart(12, '0')}`;
}
