import { PARTITION_COLUMN, TABLES } from '#lib/schema/tables.ts';

/** Columns that tables have whatever the API says. */
export const fixedNames: ReadonlySet<string> = new Set([
  PARTITION_COLUMN.name,
  ...TABLES.flatMap(({ columns }) => columns.map(({ name }) => name)),
]);
