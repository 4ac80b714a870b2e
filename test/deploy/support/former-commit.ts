import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The project as it was one commit ago, or at the commit that FORMER names: what an update is deployed over. */
export async function formerCommit(): Promise<{ readonly root: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-former-'));
  const root = join(folder, 'project');
  await run('git', ['worktree', 'add', '--quiet', '--detach', root, process.env['FORMER'] ?? 'HEAD~1']);
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    [Symbol.asyncDispose]: async () => {
      await run('git', ['worktree', 'remove', '--force', root]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
