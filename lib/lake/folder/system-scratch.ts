import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scratch } from '../lake.ts';
import { checkPath } from './check-folder.ts';
import { folderError } from './folder-errors.ts';

/** A new empty folder in the system's temporary folder, for commands that only read a lake. */
export async function systemScratch(): Promise<Scratch> {
  const area = tmpdir();
  checkPath(area, 'TMPDIR');
  try {
    const path = await mkdtemp(join(area, 'signage-export-read-'));
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
  } catch (cause) {
    throw folderError(cause, area);
  }
}
