import { spawnSync } from 'node:child_process';
import { printable } from '#lib/printable.ts';
import { environment } from '#lib/runtime/environment.ts';
import { show } from './say.ts';
import { painted } from './terminal.ts';

/** Whether a long text is shown by the program that PAGER names: on a terminal alone. */
export function hasPager(): boolean {
  return process.stdout.isTTY && environment().pager !== '';
}

/** Shows a text on stdout; by the pager where there is one and the text is longer than the terminal. */
export function showLong(text: string): void {
  const isLong = text.split('\n').length >= (process.stdout.rows || 24);
  if (!isLong || !hasPager()) {
    show(text);
    return;
  }
  const { status, error } = spawnSync(environment().pager, {
    shell: true,
    input: `${painted(printable(text))}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // 127: there is no such program.
  if (error !== undefined || status === 127) show(text);
}
