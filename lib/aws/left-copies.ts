import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../runtime/holder.ts';

const PREFIX = 'signage-export-copies-';

/** Folders that this process uses. */
const own = new Set<string>();

/** A path for copies in the system's temporary folder, which names their owner. After they are removed, call `left`. */
export function copiesFolder(): { readonly path: string; readonly left: () => void } {
  const name = `${PREFIX}${process.pid}-${randomUUID()}`;
  own.add(name);
  return { path: join(tmpdir(), name), left: () => own.delete(name) };
}

/**
 * Removes the copies of killed processes. A killed Lambda starts again with the same /tmp, and its next call
 * has less room. Not for machines where processes that cannot see each other share the folder.
 */
export async function removeLeftCopies(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number.parseInt(name.slice(PREFIX.length), 10);
    if (Number.isNaN(pid) || own.has(name) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
