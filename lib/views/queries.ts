import { readFile } from 'node:fs/promises';

/** The folder of the views, in the repository and in the package. */
export const QUERIES = new URL('../../queries/', import.meta.url);

/** The statements that teach DuckDB the functions which the views use. */
export async function readMacros(queries: URL): Promise<string> {
  return await readFile(new URL('duckdb/macros.sql', queries), 'utf8');
}
