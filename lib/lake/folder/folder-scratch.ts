import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../../errors.ts';
import type { Scratch } from '../lake.ts';
import { isMissingFile } from './folder-errors.ts';
import { makeFolder } from './folder-modes.ts';

/** Where files lie while they are written: below the lake, so that they can be renamed into it. */
export const SCRATCH = '.scratch';

/** A run ends within 24 h of its start, so nobody writes there any more. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** A new empty folder below the lake's scratch area; what killed processes left there over 24 h ago is removed. */
export async function makeScratch(root: string): Promise<Scratch> {
  const area = makeScratchArea(root);
  const path = join(area, randomUUID());
  await mkdir(path, { mode: 0o700 });
  await removeStale(area);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Where files lie while they are written. Throws LAKE_NOT_WRITABLE where it is a link: what is old there is removed. */
export function makeScratchArea(root: string): string {
  const area = join(root, SCRATCH);
  makeFolder(root, area);
  if (!lstatSync(area).isSymbolicLink()) return area;
  throw new ExportError({
    code: 'LAKE_NOT_WRITABLE',
    message: `${area} is a link to another folder, but files are made and removed there. Remove the link, or name another folder with --lake.`,
  });
}

/** What randomUUID names: nothing else in the scratch area is ours. */
const OWN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function removeStale(area: string): Promise<void> {
  for (const name of await readdir(area)) {
    if (!OWN_NAME.test(name)) continue;
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
