import { readdir, readFile } from 'node:fs/promises';
import { parseView, type ViewFile } from '#lib/views/lake-views.ts';

const FOLDER = new URL('../queries/', import.meta.url);

/** All views, in the order of their names. */
export async function readViews(): Promise<readonly ViewFile[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) =>
      parseView(file.slice(0, -'.sql'.length), await readFile(new URL(file, FOLDER), 'utf8')),
    ),
  );
}

/** The statements that DuckDB needs before it knows the functions of the views. */
export async function readMacros(): Promise<string> {
  return await readFile(new URL('duckdb/macros.sql', FOLDER), 'utf8');
}
