/**
 * Reads the member of a record that the setting `id` names: by its name, whatever its case, else by its path
 * (`node.Id`, `_id.$oid`). Gives it with the name that the record has for it; nothing where it lacks it.
 */
export function settingReader(
  setting: string,
): (record: object) => readonly (readonly [field: string, value: unknown])[] {
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
