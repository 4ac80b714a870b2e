import type { ColumnType } from '../../column-types.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import { FORMAT_NAMES, formatForm } from '../cells/formats.ts';

/** The type that a setting wants by `type`, by its format or by what its words mean; undefined if it wants none. */
export function askedType({ type, format, values }: ColumnSetting): ColumnType | undefined {
  if (type !== undefined) return type;
  if (values !== undefined) return meaningType(values);
  const known = FORMAT_NAMES.find((each) => each === format);
  return known && formatForm(known).type;
}

/** The same of a column's settings by source: a config names one type for all. */
export function typeAskedIn(
  settings: Readonly<Record<string, ColumnSetting | undefined>>,
): ColumnType | undefined {
  const types = Object.values(settings).map((setting) => setting && askedType(setting));
  return types.find((type) => type !== undefined);
}

/** The type of what words mean: boolean, bigint, double or varchar; undefined if their types differ. */
export function meaningType(values: NonNullable<ColumnSetting['values']>): ColumnType | undefined {
  const meanings = Object.values(values);
  if (meanings.length === 0) return undefined;
  if (meanings.every((each) => typeof each === 'boolean')) return 'boolean';
  if (meanings.every((each) => Number.isSafeInteger(each))) return 'bigint';
  if (meanings.every((each) => typeof each === 'number')) return 'double';
  return meanings.every((each) => typeof each === 'string') ? 'varchar' : undefined;
}
