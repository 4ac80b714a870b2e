import { LAST_SEGMENT, lastSegment } from './last-segment.ts';

/**
 * Reads the member of a record that the setting `id` names: by its name, whatever its case, else by its path
 * (`node.Id`, `_id.$oid`); with `/*` behind it (`_links.self.href/*`) what stands behind the last slash there. Gives it
 * with the name that the record has for it; nothing where it lacks it.
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
    const value = path.length < 2 ? undefined : at(record, path);
    return value === undefined ? [] : [[setting, value]];
  };
}

function at(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    record,
  );
}
