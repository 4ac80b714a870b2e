import type { Row } from './records-of-shape.ts';
import type { Shape } from './shape.ts';
import { headerName, type Meaning } from './words.ts';

export function bodyOf(
  shape: Shape,
  {
    records,
    says,
    idle,
    isWhole,
  }: {
    records: readonly Row[];
    says: Record<string, unknown>;
    idle: Record<string, unknown>;
    /** All children of a parent. */
    isWhole: boolean;
  },
): unknown {
  const { wrapping, path, where, below } = shape;
  const isMap = wrapping.startsWith('map');
  const [one = 'meta', two = 'page'] = below;
  const keyOf = ({ Label }: Row) => `k${String(Label).replace(/\D/g, '')}`;
  const list = isMap
    ? Object.fromEntries(records.map((record) => [keyOf(record), record]))
    : isWhole
      ? fewOf(shape, records)
      : wrapped(shape, records);
  if (list === COUNTED) return { count: 0 };
  if (path.length === 0) return list;
  const near =
    where === 'beside'
      ? says
      : where === 'below'
        ? { [one]: says }
        : where === 'deep-below'
          ? { [one]: { [two]: says } }
          : {};
  const columns = wrapping === 'rows' ? { [COLUMNS]: Object.keys(records[0] ?? {}) } : {};
  const inner = { ...columns, ...near, [path.at(-1) ?? 'data']: list };
  const whole = path
    .slice(0, -1)
    .reduceRight<Record<string, unknown>>((value, name) => ({ [name]: value }), inner);
  return merged(idle, { ...(where === 'root' ? says : {}), ...whole });
}

/** Both, and of two objects under one name (`meta`) the members of both. */
function merged(one: Record<string, unknown>, two: Record<string, unknown>): Record<string, unknown> {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const both = Object.entries(two).map(([name, value]) => {
    const other = one[name];
    return [name, isObject(value) && isObject(other) ? merged(other, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** Names next to, around and below the records; no vocabulary has them. */
export const COLUMNS = 'spalten';
export const WRAPPER = 'Entry';

const COUNTED = Symbol('{"count": 0}');
const EMPTY: Readonly<Record<Shape['empty'], unknown>> = {
  ...{ list: [], object: {}, text: '', null: null },
  ...{ false: false, absent: undefined, count: COUNTED },
};

/** All children of a parent: of none and of one, in the form that this API has for it. */
function fewOf(shape: Shape, records: readonly Row[]): unknown {
  if (!['bare', 'member', 'nested', 'deep'].includes(shape.wrapping)) return wrapped(shape, records);
  const [first] = records;
  if (first === undefined)
    return shape.wrapping === 'bare' ? (EMPTY[shape.empty] ?? null) : EMPTY[shape.empty];
  return shape.isOneBare && records.length === 1 ? first : records;
}

function wrapped({ wrapping }: Shape, records: readonly Row[]): unknown {
  if (wrapping === 'wrapped') return records.map((record) => ({ [WRAPPER]: record }));
  if (wrapping === 'level') return [{ [WRAPPER]: records }];
  if (wrapping === 'rows') return records.map((record) => Object.values(record));
  return records;
}

/** Where the setting `paging` would say that a member is. */
export function placeOf(shape: Shape, meaning: Meaning): string {
  const name = shape.words[meaning];
  const above = shape.path.slice(0, -1);
  const [one = 'meta', two = 'page'] = shape.below;
  if (shape.where === 'header') return `header:${headerName(name)}`;
  if (shape.where === 'root') return name;
  if (shape.where === 'below') return [...above, one, name].join('.');
  if (shape.where === 'deep-below') return [...above, one, two, name].join('.');
  return [...above, name].join('.');
}
