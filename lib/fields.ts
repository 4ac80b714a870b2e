import { trimEnd } from './text.ts';

/**
 * Reads the member of a record that the setting `id` names: by its name in any case, otherwise by its path
 * (`node.Id`, `_id.$oid`). With `/*` at the end (`_links.self.href/*`) it reads the text after the last slash
 * there. Returns it with the record's name for it; undefined if the record lacks it.
 */
export function memberReader(setting: string): Reader {
  if (!setting.endsWith(LAST_SEGMENT)) return reader(setting);
  const read = reader(setting.slice(0, -LAST_SEGMENT.length));
  return (record) =>
    read(record).map(([field, value]) => [
      `${field}${LAST_SEGMENT}`,
      typeof value === 'string' ? lastSegment(value) : value,
    ]);
}

type Reader = (record: object) => readonly (readonly [field: string, value: unknown])[];

function reader(setting: string): Reader {
  const path = setting.split('.');
  const lower = setting.toLowerCase();
  return (record) => {
    if (Object.hasOwn(record, setting)) return [[setting, Reflect.get(record, setting)]];
    const field = Object.keys(record).find((name) => name.toLowerCase() === lower);
    if (field !== undefined) return [[field, Reflect.get(record, field)]];
    const value = path.length < 2 ? undefined : valueAt(record, path);
    return value === undefined ? [] : [[setting, value]];
  };
}

/** The value at the path; undefined without one. */
export function valueAt(within: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    within,
  );
}

/** The end of a field's name in the setting `id`: the id follows the last slash of an address. */
export const LAST_SEGMENT = '/*';

/** The last segment of an address's path; a text without a slash stays as it is. */
export function lastSegment(text: string): string {
  if (!/[/?#%]/.test(text)) return text;
  const path = trimEnd(text.split(/[?#]/, 1)[0] ?? '', '/');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The number of names with a kept rank. Records have few different keys, unless their keys are data. */
const NAMES_KEPT = 1000;

/**
 * Returns a function for the place of a field among the wanted names, from 0, or undefined. It compares names
 * in their folded form. It is fast enough for a million records.
 */
export function fieldRank(wanted: readonly string[]): (field: string) => number | undefined {
  const ranks = new Map<string, number>();
  for (const [index, name] of wanted.map(foldedName).entries()) if (!ranks.has(name)) ranks.set(name, index);
  const kept = new Map<string, number | undefined>();
  return (field) => {
    if (kept.has(field)) return kept.get(field);
    const rank = ranks.get(foldedName(field));
    if (kept.size < NAMES_KEPT) kept.set(field, rank);
    return rank;
  };
}

/** A field's name without case and without signs between words: PlayerId, player_id and player-id are one. */
function foldedName(field: string): string {
  return field.toLowerCase().replace(/(?<=[a-z0-9])[-_. ](?=[a-z0-9])/g, '');
}
