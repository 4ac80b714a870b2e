import { type ChildProcess, spawn } from 'node:child_process';

/** More bytes than any secret has. */
const MOST_BYTES = 64 * 1024;

/**
 * The stdout of a command in the system's own shell, or its fault: the end of a sentence without the command's output. Its
 * stderr is thrown away. After `limitMs` it is killed; by default it has time to unlock a keychain.
 */
export async function outputOf(command: string, { limitMs = 30_000 } = {}) {
  // The command has its own process group, so the kill reaches the shell's children too.
  const detached = process.platform !== 'win32';
  const child = spawn(command, {
    shell: true,
    detached,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let stopped: string | undefined;
  const stop = (fault: string) => {
    stopped ??= fault;
    kill(child, detached);
  };
  const timer = setTimeout(() => stop(`was killed after ${limitMs / 1000} s`), limitMs);
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) stop(`wrote more than ${MOST_BYTES / 1024} KiB`);
    else chunks.push(chunk);
  });
  const ended = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(`cannot be started (${error.code})`));
    child.on('close', (code, signal) =>
      resolve(
        code === 0 ? undefined : code === null ? `was ended by ${signal}` : `ended with exit code ${code}`,
      ),
    );
  });
  clearTimeout(timer);
  const fault = stopped ?? ended;
  return { text: fault === undefined ? Buffer.concat(chunks).toString('utf8') : '', fault };
}

function kill(child: ChildProcess, isGroup: boolean): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The command has ended in the meantime.
  }
}
