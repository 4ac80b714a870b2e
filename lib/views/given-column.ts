import { type ColumnType, trinoType } from '../column-types.ts';
import type { Schema } from '../schema/schema.ts';
import { questionsText } from '../sources/question.ts';
import { quoteIdentifier } from '../sql.ts';
import type { ViewColumn } from './view-file.ts';

/** A missing column, so that a view is silent about a part of its question. */
export interface Unsaid {
  /** TABLE.COLUMN. */
  readonly column: string;
  /** What the view does not say, such as "when a player was last seen". */
  readonly says: string;
  /** Why; or the source and the date since which its records have no value, if they had one. */
  readonly reason: string | { readonly source: string; readonly date: string };
}

/** Why a column is missing that no field of the API fills. */
export const NO_FIELD = 'no field has this name; `as` names the field that means it';

/** How a cell of another type is read, in SQL for both DuckDB and Athena; `?` is the cell. */
const READINGS: Readonly<Partial<Record<`${ColumnType} as ${ColumnType}`, string>>> = {
  'bigint as boolean': 'cast(? as boolean)',
  'varchar as bigint': 'try_cast(try_cast(? as double) as bigint)',
  'varchar as double': 'try_cast(? as double)',
  'decimal(38,9) as bigint': 'try_cast(? as bigint)',
  'double as bigint': 'try_cast(? as bigint)',
  'bigint as double': 'cast(? as double)',
  'decimal(38,9) as double': 'cast(? as double)',
  'date as timestamp': 'cast(? as timestamp)',
  'bigint as varchar': 'cast(? as varchar)',
  'decimal(38,9) as varchar': 'cast(? as varchar)',
  'double as varchar': 'cast(? as varchar)',
  'boolean as varchar': 'cast(? as varchar)',
  'date as varchar': 'cast(? as varchar)',
  'timestamp as varchar': 'cast(? as varchar)',
};

/** The sources with records that had a value of the column once, and have none since a date. */
export function emptiedIn(
  schema: Schema,
  { table, column }: ViewColumn,
): readonly Exclude<Unsaid['reason'], string>[] {
  const found = schema.tables[table]?.columns.find((each) => each.name === column);
  return (found?.paths ?? []).flatMap(({ source, filled }) =>
    filled?.emptied === undefined ? [] : [{ source, date: filled.emptied.date }],
  );
}

/** True if a view reads a column of the type from text. */
export const readsText = (type: ColumnType): boolean =>
  type === 'varchar' || READINGS[`varchar as ${type}`] !== undefined;

/**
 * How the tables of a schema have the column, as SQL of a select list, and why they lack it. A column that was always
 * null so far counts as present, with null.
 */
export function givenColumn(schema: Schema, { table, column, type }: ViewColumn) {
  const name = quoteIdentifier(column);
  const nothing = `cast(null as ${trinoType(type)}) as ${name}`;
  const found = schema.tables[table]?.columns.find((each) => each.name === column);
  if (found === undefined) return { asIs: false, sql: nothing, reason: NO_FIELD };
  if (found.provisional) return { asIs: false, sql: nothing };
  if (found.type === type) return { asIs: true, sql: name };
  const reading = READINGS[`${found.type} as ${type}`];
  if (reading === undefined) {
    const said = questionsText(found.questions);
    const question = said === '' ? '' : `: ${said}`;
    return { asIs: false, sql: nothing, reason: `it is ${found.type}, not ${type}${question}` };
  }
  return { asIs: false, sql: `${reading.replace('?', name)} as ${name}` };
}
