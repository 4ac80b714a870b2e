import { COLUMN_TYPES, type ColumnType } from '../../column-types.ts';
import { UsageError } from '../../errors.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import { FORMAT_NAMES, formatForm } from '../cells/formats.ts';

/**
 * The type that the config asks for, by itself or by its format's; undefined where it asks for none. Throws
 * CONFIG_INVALID where two sources ask for different ones, or a type or format is none.
 */
export function askedType({
  table,
  name,
  settings,
}: {
  readonly table: string;
  readonly name: string;
  readonly settings?: Readonly<Record<string, ColumnSetting | undefined>> | undefined;
}): ColumnType | undefined {
  const asked = Object.entries(settings ?? {}).flatMap(([source, setting]) => {
    const type =
      setting === undefined
        ? undefined
        : typeOfSetting(setting, `source ${source}, resources.${table}.columns.${name}`);
    return type === undefined ? [] : [{ source, type }];
  });
  const [first] = asked;
  const other = asked.find(({ type }) => type !== first?.type);
  if (first !== undefined && other !== undefined) {
    throw new UsageError(
      `resources.${table}.columns.${name} is ${first.type} in source ${first.source} and ${other.type} in source ${other.source}: a column has one type, write the same in both.`,
    );
  }
  return first?.type;
}

function typeOfSetting({ type, format }: ColumnSetting, place: string): ColumnType | undefined {
  const known = FORMAT_NAMES.find((each) => each === format);
  if (format !== undefined && known === undefined) {
    throw new UsageError(
      `${place}.format is ${JSON.stringify(format)}: write one of ${FORMAT_NAMES.join(', ')}.`,
    );
  }
  if (type === undefined) return known === undefined ? undefined : formatForm(known).type;
  const knownType = COLUMN_TYPES.find((each) => each === type);
  if (knownType === undefined) {
    throw new UsageError(
      `${place}.type is ${JSON.stringify(type)}: write one of ${COLUMN_TYPES.join(', ')}.`,
    );
  }
  return knownType;
}
