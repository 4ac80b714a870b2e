import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** All that a lake's folder holds, as text: of Parquet every cell, its footer and its keys. */
export async function everythingIn(folder: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    texts.push(bytes.toString('latin1'));
    if (!entry.name.endsWith('.parquet')) continue;
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const rows = await parquetReadObjects({ file, compressors });
    texts.push(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
    for (const row of rows)
      for (const cell of Object.values(row)) if (typeof cell === 'string') texts.push(cell);
  }
  return texts;
}
