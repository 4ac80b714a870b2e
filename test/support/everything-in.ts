import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { filesBelow, rowsOf } from './files-of-head.ts';

/** All that a file holds, as text: of Parquet every cell, its footer and its key too. */
async function textsOf(path: string): Promise<readonly string[]> {
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('latin1');
  if (!path.endsWith('.parquet')) return [text];
  const rows = await rowsOf([path]);
  const cells = rows.flatMap((row) => Object.values(row)).filter((cell) => typeof cell === 'string');
  const whole = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return [text, whole, ...cells];
}

/** All that a lake's folder holds, as text. */
export async function everythingIn(folder: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of filesBelow(folder)) texts.push(...(await textsOf(path)));
  return texts;
}

/** The files of a lake's folder in which, or in whose names, one of the texts is. */
export async function filesHaving(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of filesBelow(folder)) {
    const own = [path.slice(folder.length + 1), ...(await textsOf(path))];
    if (texts.some((text) => own.some((each) => each.includes(text)))) found.push(own[0] ?? '');
  }
  return found.sort();
}
