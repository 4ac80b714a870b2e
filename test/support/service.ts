import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ServiceOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Asked until it gives true. */
  readonly isReady: () => Promise<boolean>;
  readonly patienceMs: number;
}

const running = new Set<ChildProcess>();
// A test run that is interrupted must leave no server behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program and waits until it is ready; it is ended, by its process id, with the scope. */
export async function startService(options: ServiceOptions) {
  const child = spawn(options.command, options.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  let said = '';
  const listen = (text: Buffer) => {
    said = `${said}${text.toString('utf8')}`.slice(-20_000);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  running.add(child);
  const service = {
    pid: child.pid ?? 0,
    /** What it has said so far, for whoever wants to know why it does not answer. */
    said: () => said,
    [Symbol.asyncDispose]: async () => {
      await ended(child);
      running.delete(child);
    },
  };
  const patience = performance.now() + options.patienceMs;
  while (!(await options.isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > patience) {
      await ended(child);
      throw new Error(`${options.command} did not come up:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return service;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await closed;
  clearTimeout(killer);
}

/** A TCP port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether something answers there with any status. */
export async function answers(url: string): Promise<boolean> {
  await (await fetch(url)).arrayBuffer();
  return true;
}
