import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from './files-of-head.ts';

/** All that a lake's folder holds, as text: of Parquet every cell, its footer and its keys. */
export async function everythingIn(folder: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    texts.push(await readFile(path, 'latin1'));
    if (!path.endsWith('.parquet')) continue;
    const rows = await rowsOf([path]);
    texts.push(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
    for (const row of rows)
      for (const cell of Object.values(row)) if (typeof cell === 'string') texts.push(cell);
  }
  return texts;
}
