import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tool, venv } from '../../support/tool-cache.ts';

const run = promisify(execFile);
const HERE = join(import.meta.dirname, '..');

/** Python with the frameworks of requirements.txt. Throws where the machine has no Python. */
export async function pythonServers(): Promise<string> {
  const requirements = join(HERE, 'requirements.txt');
  const folder = await tool(`stock-servers-python-${await hashOf(requirements)}`, async (into) => {
    await run('python3', ['--version']).catch(() => {
      throw new Error(
        'test:servers needs python3 with venv, and finds none: install Python 3.11 or newer (python3, python3-venv).',
      );
    });
    await venv(into, ['-r', requirements]);
  });
  return join(folder, 'bin', 'python');
}

/** A folder whose node_modules has the frameworks of npm/package.json. */
export async function nodeServers(): Promise<string> {
  const lock = join(HERE, 'npm', 'package-lock.json');
  return await tool(`stock-servers-node-${await hashOf(lock)}`, async (into) => {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(HERE, 'npm', name), join(into, name));
    const options = { cwd: into, maxBuffer: 64 * 1024 * 1024 };
    await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], options);
  });
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 12);
}
