import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { errno } from '#lib/errors.ts';
import { environment } from '#lib/runtime/environment.ts';
import { printable } from '#lib/text.ts';
import { show } from './say.ts';
import { painted } from './terminal.ts';

/** For less: colours as they are, long lines cut and moved sideways, and the text stays on the terminal at the end. */
const LESS = 'RSX';

/** Whether a pager shows a long text: the one in PAGER, otherwise less if it exists; only on a terminal. */
export function hasPager(): boolean {
  return pager() !== undefined;
}

/** Shows a text on stdout; by the pager if there is one and the text has more lines than the terminal. */
export function showLong(text: string): void {
  const program = pager();
  const isLong = text.split('\n').length >= (process.stdout.rows || 24);
  if (!isLong || program === undefined) {
    show(text);
    return;
  }
  // Ctrl-C is for the pager, which would stay behind on the terminal.
  process.on('SIGINT', () => {});
  const { status, error } = spawnSync(program, {
    shell: true,
    input: `${painted(printable(text))}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS, ...process.env },
  });
  // 127: the program does not exist. A person who leaves a pager early closes its input, which is not a fault.
  const isMissing = status === 127 || errno(error) === 'ENOENT';
  if (isMissing) show(text);
}

/** The command line of the pager. */
function pager(): string | undefined {
  if (!process.stdout.isTTY) return undefined;
  const { pager: chosen, isDumb, path } = environment();
  // Git takes `cat` for no pager, and so does this.
  if (chosen !== undefined) return chosen === '' || chosen === 'cat' ? undefined : chosen;
  const isThere = path.split(delimiter).some((folder) => existsSync(join(folder, 'less')));
  return isThere && !isDumb ? 'less' : undefined;
}
