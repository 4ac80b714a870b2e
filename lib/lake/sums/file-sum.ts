import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Lake } from '../lake.ts';

/** The form of a sum: bytes and SHA-256 of a file, as from `wc -c` and `sha256sum`. */
export const FILE_SUM = /^\d+ [0-9a-f]{64}$/;

/** How many bytes are read at once and held in memory. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** The sum of a file of this machine. Most files are small, and a small buffer saves garbage collection. */
export async function fileSum(path: string): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  async function* chunks() {
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  return await sumOf(chunks());
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

/** The bytes of a sum. */
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
