import { readFile } from 'node:fs/promises';

/** Where the views are. */
export const QUERIES = new URL('../queries/', import.meta.url);

/** The statements that DuckDB needs before it knows the functions of the views. */
export async function readMacros(): Promise<string> {
  return await readFile(new URL('duckdb/macros.sql', QUERIES), 'utf8');
}
