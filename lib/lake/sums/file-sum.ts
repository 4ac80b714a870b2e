import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Lake } from '../lake.ts';

/** How a sum is written: the bytes of a file and their SHA-256, as `wc -c` and `sha256sum` say them. */
export const FILE_SUM = /^\d+ [0-9a-f]{64}$/;

/** How much is read at a time, and held. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** The sum of a file of this machine. */
export async function fileSum(path: string): Promise<string> {
  return await sumOf(createReadStream(path, { highWaterMark: CHUNK_BYTES }));
}

/** The sum of an object of the lake, read where it lies; undefined where there is none. */
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

/** The bytes that a sum says. */
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
