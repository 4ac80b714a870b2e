import { createHash } from 'node:crypto';
import { openReader } from '../folder/folder-files.ts';
import type { Lake, ObjectReader } from '../lake.ts';

/** The form of a sum: bytes and SHA-256 of a file, as from `wc -c` and `sha256sum`. */
export const FILE_SUM = /^\d+ [0-9a-f]{64}$/;

/** How many bytes are read at once and held in memory. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** In the footer of a raw file: the SHA-256 of all bytes before it. */
export const PAGES_SUM = 'pages_sha256';
/** At the end of a Parquet file: the footer's length, then `PAR1`. */
const END_BYTES = 8;

export async function fileSum(path: string): Promise<string> {
  return await sumOf(await openReader(path));
}

/** The sum of an object of the lake, without a copy; undefined where it does not exist. */
export async function objectSum(lake: Lake, key: string): Promise<string | undefined> {
  const reader = await lake.open(key);
  return reader && (await sumOf(reader));
}

/** The sum of a raw file, and whether its pages are as they were collected; true where its footer has no sum. */
export async function rawFileSum(path: string): Promise<{ readonly sum: string; readonly isWhole: boolean }> {
  const reader = await openReader(path);
  const { size, read } = reader;
  try {
    const footerBytes = size < END_BYTES ? 0 : (await read(size - END_BYTES, END_BYTES)).readUInt32LE(0);
    const from = Math.max(0, size - END_BYTES - footerBytes);
    const hash = await hashOf(reader, from);
    const pages = hash.copy().digest('hex');
    const footer = await read(from, size - from);
    hash.update(footer);
    const isWhole = !footer.includes(PAGES_SUM) || footer.includes(pages);
    return { sum: `${size} ${hash.digest('hex')}`, isWhole };
  } finally {
    await reader.close();
  }
}

export function bytesIn(sum: string): number {
  return Number(sum.split(' ', 1)[0]);
}

/** The sum of all bytes; closes the reader. */
async function sumOf(reader: ObjectReader): Promise<string> {
  try {
    return `${reader.size} ${(await hashOf(reader, reader.size)).digest('hex')}`;
  } finally {
    await reader.close();
  }
}

async function hashOf({ read }: ObjectReader, end: number) {
  const hash = createHash('sha256');
  for (let at = 0; at < end; at += CHUNK_BYTES) hash.update(await read(at, Math.min(CHUNK_BYTES, end - at)));
  return hash;
}
