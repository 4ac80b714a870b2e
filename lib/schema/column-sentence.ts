import columns from './of-api-columns.json' with { type: 'json' };
import { PARTITION_COLUMN, TABLES } from './tables.ts';

/** What the API's columns say, by table. The API publishes no list: a sentence says where a code's meaning is not known. */
const OF_API_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = columns;

const OF_ANY_TABLE = new Map([
  ...[...TABLES.toReversed().flatMap(({ columns }) => columns), PARTITION_COLUMN].map(
    ({ name, description }) => [name, description] as const,
  ),
  ...Object.values(OF_API_COLUMNS).flatMap((columns) => Object.entries(columns)),
]);

/** What a column of the API says; undefined for one that only other installations have. */
export function apiColumnSentence(table: string, column: string): string | undefined {
  return OF_API_COLUMNS[table]?.[column];
}

/** What a column of that name says in any table, for a view that shows it. */
export function shownColumnSentence(column: string): string | undefined {
  return OF_ANY_TABLE.get(column);
}
