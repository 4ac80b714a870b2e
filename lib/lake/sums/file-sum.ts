import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Lake } from '../lake.ts';

/** The form of a sum: bytes and SHA-256 of a file, as from `wc -c` and `sha256sum`. */
export const FILE_SUM = /^\d+ [0-9a-f]{64}$/;

/** How many bytes are read at once and held in memory. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** In the footer of a raw file: the SHA-256 of all bytes before it. */
export const PAGES_SUM = 'pages_sha256';
/** At the end of a Parquet file: the footer's length, then `PAR1`. */
const END_BYTES = 8;

export async function fileSum(path: string): Promise<string> {
  await using file = await open(path);
  return await sumOf(chunksOf(file, (await file.stat()).size));
}

/** The sum of a raw file, and whether its pages are as they were collected; true where its footer has no sum. */
export async function rawFileSum(path: string): Promise<{ readonly sum: string; readonly isWhole: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const end = Buffer.alloc(END_BYTES);
  await file.read(end, 0, END_BYTES, Math.max(0, size - END_BYTES));
  const from = Math.max(0, size - END_BYTES - end.readUInt32LE(0));
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(file, from)) hash.update(chunk);
  const pages = hash.copy().digest('hex');
  const footer = Buffer.alloc(size - from);
  await file.read(footer, 0, footer.length, from);
  hash.update(footer);
  const isWhole = !footer.includes(PAGES_SUM) || footer.includes(pages);
  return { sum: `${size} ${hash.digest('hex')}`, isWhole };
}

/** The bytes before `end`. Most files are small, and a small buffer saves garbage collection. */
async function* chunksOf(file: FileHandle, end: number) {
  const buffer = Buffer.allocUnsafe(Math.min(end, CHUNK_BYTES));
  for (let at = 0; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The sum of an object of the lake, without a copy; undefined where it does not exist. */
export async function objectSum(lake: Lake, key: string): Promise<string | undefined> {
  const reader = await lake.open(key);
  if (reader === undefined) return undefined;
  const { size } = reader;
  async function* chunks() {
    for (let at = 0; at < size; at += CHUNK_BYTES)
      yield await reader?.read(at, Math.min(CHUNK_BYTES, size - at));
  }
  try {
    return await sumOf(chunks());
  } finally {
    await reader.close();
  }
}

export function bytesIn(sum: string): number {
  return Number(sum.split(' ', 1)[0]);
}

async function sumOf(chunks: AsyncIterable<Uint8Array | undefined>): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    if (chunk === undefined) continue;
    hash.update(chunk);
    bytes += chunk.length;
  }
  return `${bytes} ${hash.digest('hex')}`;
}
