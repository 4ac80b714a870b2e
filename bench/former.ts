import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN = fileURLToPath(new URL('..', import.meta.url));

/** The code of a former commit in a folder of its own, with today's libraries, until it is disposed of. */
export interface Former extends Disposable {
  readonly commit: string;
  readonly root: string;
}

/** Checks a commit out into an empty folder. Throws Error with git's words where there is no such commit. */
export function checkOut(commit: string, folder: string): Former {
  git('worktree', 'add', '--detach', folder, commit);
  symlinkSync(join(OWN, 'node_modules'), join(folder, 'node_modules'));
  return {
    commit,
    root: folder,
    [Symbol.dispose]: () => git('worktree', 'remove', '--force', folder),
  };
}

function git(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', words, { cwd: OWN, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr.trim()}`);
}
