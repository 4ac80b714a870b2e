import { OF_API_COLUMNS } from './of-api-columns.ts';
import { OF_VIEW_COLUMNS } from './of-view-columns.ts';
import { PARTITION_COLUMN, TABLES } from './tables.ts';

/** What a view's columns say that have the name and the meaning of a table's. */
const OF_TABLE_COLUMNS = new Map([
  ...[...TABLES.toReversed().flatMap(({ columns }) => columns), PARTITION_COLUMN].map(
    ({ name, description }) => [name, description] as const,
  ),
  ...Object.values(OF_API_COLUMNS).flatMap((columns) => Object.entries(columns)),
]);

/** What a column of the API says; undefined for one that only other installations have. */
export function apiColumnSentence(table: string, column: string): string | undefined {
  return OF_API_COLUMNS[table]?.[column];
}

/** What a column of a view says. A test finds a column without a sentence. */
export function viewColumnSentence(view: string, column: string): string | undefined {
  return OF_VIEW_COLUMNS[`${view}.${column}`] ?? OF_VIEW_COLUMNS[column] ?? OF_TABLE_COLUMNS.get(column);
}
