import { readFile } from 'node:fs/promises';

/** The folder of the views, in the repository and in the package. */
export const QUERIES = new URL('../../queries/', import.meta.url);

/** The statements that define the functions of the views in DuckDB. */
export async function readMacros(queries: URL): Promise<string> {
  return await readFile(new URL('duckdb/macros.sql', queries), 'utf8');
}
