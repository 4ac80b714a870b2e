import { meaningType } from '../schema/columns/asked-type.ts';
import { PARTITION_COLUMN, tableForm } from '../schema/tables.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import type { ResourceName } from '../sources/resources.ts';

export const COLUMN_NAME = 'a name for a column: a-z, 0-9 and _, not a digit first, at most 120 characters';
export const MEANING = 'true, false, a number or a text';

/** A mistake in the settings of a listing's columns, as zod has it: its place, and what the value must be. */
interface ColumnFault {
  readonly path: readonly string[] & string[];
  readonly message: string;
}

/** Faults among the columns of one listing that no setting of one column shows. */
export function columnFaults(
  columns: Readonly<Record<string, ColumnSetting>>,
  table: ResourceName,
): readonly ColumnFault[] {
  const reserved = [...tableForm(table).columns, PARTITION_COLUMN].map(({ name }) => name);
  const entries = Object.entries(columns);
  return entries.flatMap(([key, { as, values, type, format }], index) => {
    const faults: ColumnFault[] = [];
    const add = (setting: string, message: string) => void faults.push({ path: [key, setting], message });
    const first = entries.findIndex(([, other]) => as !== undefined && other.as === as);
    if (as !== undefined && reserved.includes(as))
      add('as', `another name: ${table} has a column ${as} of its own`);
    else if (as !== undefined && first < index)
      add('as', `another name: ${entries[first]?.[0]} has it already`);
    if (values === undefined) return faults;
    const meant = meaningType(values);
    if (meant === undefined)
      add('values', 'meanings of one kind: all true or false, all numbers, or all texts');
    else if (format !== undefined) add('format', 'left out, because the meanings in values are not times');
    else if (type !== undefined && type !== meant && !(meant === 'bigint' && NUMBERS.includes(type)))
      add('type', `${meant}, or left out, because the meanings in values have that type`);
    return faults;
  });
}

/** Types that hold whole numbers too. */
const NUMBERS: readonly string[] = ['decimal(38,9)', 'double'];
