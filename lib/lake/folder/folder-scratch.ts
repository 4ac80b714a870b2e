import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scratch } from '../lake.ts';
import { isMissingFile } from './folder-errors.ts';

/** Where files lie while they are written: below the lake, so that they can be renamed into it. */
export const SCRATCH = '.scratch';

/** A run ends within 24 h of its start, so nobody writes there any more. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** A new empty folder below the lake's scratch area; what killed processes left there over 24 h ago is removed. */
export async function makeScratch(root: string): Promise<Scratch> {
  const area = join(root, SCRATCH);
  const path = join(area, randomUUID());
  await mkdir(path, { recursive: true });
  await removeStale(area);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function removeStale(area: string): Promise<void> {
  for (const name of await readdir(area)) {
    const path = join(area, name);
    const changedAt = await lastChange(path);
    if (changedAt < Date.now() - STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

/** When a file, or a folder with the files in it, was changed last, in ms. Now, where it is gone. */
async function lastChange(path: string): Promise<number> {
  try {
    const found = await stat(path);
    const inside = found.isDirectory() ? await readdir(path) : [];
    const times = await Promise.all(inside.map(async (name) => (await stat(join(path, name))).mtimeMs));
    return Math.max(found.mtimeMs, ...times);
  } catch (error) {
    if (isMissingFile(error)) return Date.now();
    throw error;
  }
}
