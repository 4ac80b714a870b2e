import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scratch } from '../lake.ts';
import { refuseLink } from './check-folder.ts';
import { type HeldFile, holdFile, isHeld, withFolderLock } from './folder-lock.ts';
import { makeFolder } from './folder-modes.ts';

/** Where files lie while they are written: below the lake, so that they can be renamed into it. */
export const SCRATCH = '.scratch';

/** What this process has of a lake's scratch area: a folder with a file that it holds until it is done, or is killed. */
interface Area extends HeldFile {
  readonly path: string;
  users: number;
}

/** By the lake's folder. */
const areas = new Map<string, Area>();

/** A new empty folder below the lake's scratch area; what killed processes left there is removed. */
export async function makeScratch(root: string): Promise<Scratch> {
  const scratch = scratchPath(root);
  const { path } = scratch;
  await mkdir(path, { mode: 0o700 });
  return { path, [Symbol.asyncDispose]: async () => scratch[Symbol.dispose]() };
}

/**
 * A new path below the lake's scratch area, until it is disposed of. Throws LAKE_NOT_WRITABLE where the area is a link: what
 * nobody holds is removed there.
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
  // Nobody looks between the making of the folder and the holding of its file.
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

/** What randomUUID names: nothing else in the scratch area is ours. */
const OWN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function holderOf(folder: string): string {
  return join(folder, '.holder');
}

/** What no living process holds. */
function leftBehind(scratch: string, mine: string): readonly string[] {
  return readdirSync(scratch, { withFileTypes: true })
    .filter(({ name }) => OWN_NAME.test(name))
    .map((entry) => ({ path: join(scratch, entry.name), isFolder: entry.isDirectory() }))
    .filter(({ path, isFolder }) => path !== mine && !(isFolder && isHeld(holderOf(path))))
    .map(({ path }) => path);
}
