import type { Json, JsonObject } from '../json.ts';
import { kindOf, type ServedResource } from '../kind.ts';
import { NEVER } from '../world/clock.ts';
import type { Axes, AxisValue } from './axes.ts';
import type { FieldKind, Fields } from './fields.ts';
import { idsOf } from './ids.ts';
import { BOOLEANS, keyIn, NUMBERS, timeValue } from './values.ts';

/** Turns a record of reference into the record of a dialect. */
export type RecordWriter = (record: JsonObject) => JsonObject;

/** Writers are kept, for making one again would slow down every answer. */
const MADE = new WeakMap<Axes, Map<Fields, RecordWriter>>();

/** The writer for the records of a resource; `fields` are the keys that they may have. */
export function recordWriter(resource: ServedResource, fields: Fields, axes: Axes): RecordWriter {
  const ofAxes = MADE.get(axes) ?? new Map<Fields, RecordWriter>();
  MADE.set(axes, ofAxes);
  const writer = ofAxes.get(fields) ?? makeWriter(resource, fields, axes);
  ofAxes.set(fields, writer);
  return writer;
}

function makeWriter(resource: ServedResource, fields: Fields, axes: Axes): RecordWriter {
  if (leavesRecords(axes)) return (record) => record;
  const parts = Object.entries(fields).map(([key, kind]) => ({
    key,
    absent: absentForm(resource, kind, axes),
    written: keyIn(kind === 'id' ? idsOf(axes.id).field(resource) : key, axes.keys),
    value: valueWriter(resource, kind, axes),
  }));
  return (record) => {
    const written: Record<string, Json> = {};
    for (const part of parts) {
      const value = record[part.key];
      const given = value === undefined || value === null ? undefined : part.value(value);
      const shown = given ?? absentValue(value, part.absent, axes);
      if (shown !== undefined) written[part.written] = shown;
    }
    return written;
  };
}

function valueWriter(
  resource: ServedResource,
  kind: FieldKind,
  axes: Axes,
): (value: Json) => Json | undefined {
  if (typeof kind === 'object') {
    const below = makeWriter(resource, kind, axes);
    return (value) => below(value as JsonObject);
  }
  switch (kind) {
    case 'id':
    case 'parent': {
      const ids = idsOf(axes.id);
      return (value) => ids.write(resource, Number(value));
    }
    case 'time':
      return (value) => timeValue(value, axes.dates);
    case 'boolean':
      return (value) => BOOLEANS[axes.booleans](value === true);
    case 'integer':
    case 'decimal':
      return (value) => NUMBERS[axes.numbers](Number(value));
    default:
      return (value) => value;
  }
}

/** True if the records are the same as those of reference. */
export function leavesRecords(axes: Axes): boolean {
  const { id, keys, absent, dates, booleans, numbers } = axes;
  return [id, keys, absent, dates, booleans, numbers].every((value) => value === 'native');
}

/** How the dialect writes a missing value. Only texts can be empty, only times have a sentinel. */
export function absentForm(
  resource: ServedResource,
  kind: FieldKind,
  { absent, dates }: Axes,
): AxisValue<'absent'> {
  if (absent === 'empty') return kind === 'text' ? 'empty' : 'null';
  if (absent !== 'sentinel') return absent;
  // Unix seconds have no sentinel.
  const isUnix = dates === 'native' && kindOf(resource) === 'backup';
  return kind === 'time' && !isUnix && timeValue(NEVER, dates) !== undefined ? 'sentinel' : 'null';
}

/** The value that a missing one is written as; undefined: the key is left out. */
function absentValue(value: Json | undefined, form: AxisValue<'absent'>, { dates }: Axes): Json | undefined {
  if (form === 'native') return value === null ? null : undefined;
  return { omitted: undefined, null: null, empty: '', sentinel: timeValue(NEVER, dates) }[form];
}
