import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandEnded {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in a process of its own, which has `input` on its stdin. */
export async function command(
  args: readonly string[],
  {
    environment,
    input = '',
  }: { readonly environment: Readonly<Record<string, string>>; readonly input?: string },
): Promise<CommandEnded> {
  const child = spawn(process.execPath, ['cli/main.ts', ...args], {
    env: { ...process.env, ...environment },
  });
  child.stdin.end(input);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  const [code] = await ended;
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
