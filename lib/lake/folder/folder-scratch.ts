import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scratch } from '../lake.ts';
import { refuseLink } from './check-folder.ts';
import { type HeldFile, holdFile, isHeld, withFolderLock } from './folder-lock.ts';
import { makeFolder } from './folder-modes.ts';

/** Files are written here: below the lake, so that they can be renamed into it. */
export const SCRATCH = '.scratch';

/** This process's part of a lake's scratch area: a folder with a file that it holds until it ends. */
interface Area extends HeldFile {
  readonly path: string;
  users: number;
}

/** By the lake's folder. */
const areas = new Map<string, Area>();

/** A new empty folder in the lake's scratch area. Removes what killed processes left there. */
export async function makeScratch(root: string): Promise<Scratch> {
  const scratch = scratchPath(root);
  const { path } = scratch;
  await mkdir(path, { mode: 0o700 });
  return { path, [Symbol.asyncDispose]: async () => scratch[Symbol.dispose]() };
}

/**
 * A new path in the lake's scratch area until it is disposed of. Throws LAKE_NOT_WRITABLE where the area is a
 * link, because everything that nobody holds there is removed.
 */
export function scratchPath(root: string): Disposable & { readonly path: string } {
  const area = enteredArea(root);
  const path = join(area.path, randomUUID());
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true, force: true });
      area.users -= 1;
      if (area.users > 0) return;
      if (areas.get(root) === area) areas.delete(root);
      rmSync(area.path, { recursive: true, force: true });
      area.release();
    },
  };
}

function enteredArea(root: string): Area {
  const known = areas.get(root);
  // Somebody may have removed the lake.
  if (known !== undefined && existsSync(known.path)) {
    known.users += 1;
    return known;
  }
  const scratch = join(root, SCRATCH);
  makeFolder(root, scratch);
  refuseLink(scratch);
  const path = join(scratch, randomUUID());
  // The lock keeps others out until the new folder's file is held.
  const { held, left } = withFolderLock(root, () => {
    mkdirSync(path, { mode: 0o700 });
    return { held: holdFile(holderOf(path)), left: leftBehind(scratch, path) };
  });
  // Nobody ever enters them again.
  for (const each of left) rmSync(each, { recursive: true, force: true });
  const area = { ...held, path, users: 1 };
  areas.set(root, area);
  return area;
}

/** The names of randomUUID: nothing else in the scratch area is ours. */
const OWN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function holderOf(folder: string): string {
  return join(folder, '.holder');
}

/** The areas that no living process holds. */
function leftBehind(scratch: string, mine: string): readonly string[] {
  return readdirSync(scratch, { withFileTypes: true })
    .filter(({ name }) => OWN_NAME.test(name))
    .map((entry) => ({ path: join(scratch, entry.name), isFolder: entry.isDirectory() }))
    .filter(({ path, isFolder }) => path !== mine && !(isFolder && isHeld(holderOf(path))))
    .map(({ path }) => path);
}
