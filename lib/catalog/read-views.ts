import { readdir, readFile } from 'node:fs/promises';
import { parseView, type ViewFile } from '../views/lake-views.ts';
import type { ViewColumns, Views } from './wanted-views.ts';

/** The views in a folder: a `.sql` file each, and `columns.json` with the types of their columns. */
export async function readViews(folder: URL): Promise<Views> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(
    names.map(
      async (name): Promise<ViewFile> =>
        parseView(name.slice(0, -'.sql'.length), await readFile(new URL(name, folder), 'utf8')),
    ),
  );
  const columns: ViewColumns = JSON.parse(await readFile(new URL('columns.json', folder), 'utf8'));
  return { files, columns };
}
