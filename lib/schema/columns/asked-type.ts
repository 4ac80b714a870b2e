import { COLUMN_TYPES, type ColumnType } from '../../column-types.ts';
import { UsageError } from '../../errors.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import { FORMAT_NAMES, formatForm } from '../cells/formats.ts';

/**
 * The type that the config wants by `type`, by its format or by what its words mean; undefined if it wants
 * none. Throws CONFIG_INVALID if two sources want different types, or a type or format does not exist.
 */
export function askedType(column: {
  readonly table: string;
  readonly name: string;
  readonly settings?: Readonly<Record<string, ColumnSetting | undefined>> | undefined;
}): ColumnType | undefined {
  const { table, name, settings = {} } = column;
  const asked = Object.entries(settings).flatMap(([source, setting]) => {
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
      `resources.${table}.columns.${name} is ${first.type} in source ${first.source} and ${other.type} in source ${other.source}: a column has one type, so write the same type in both.`,
    );
  }
  return first?.type;
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

function typeOfSetting({ type, format, values }: ColumnSetting, place: string): ColumnType | undefined {
  const known = FORMAT_NAMES.find((each) => each === format);
  if (format !== undefined && known === undefined) {
    throw new UsageError(
      `${place}.format is ${JSON.stringify(format)}: write one of ${FORMAT_NAMES.join(', ')}.`,
    );
  }
  if (type === undefined && values !== undefined) return meaningType(values);
  if (type === undefined) return known === undefined ? undefined : formatForm(known).type;
  const knownType = COLUMN_TYPES.find((each) => each === type);
  if (knownType === undefined) {
    throw new UsageError(
      `${place}.type is ${JSON.stringify(type)}: write one of ${COLUMN_TYPES.join(', ')}.`,
    );
  }
  return knownType;
}
