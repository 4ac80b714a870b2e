import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lambdaRuntimeClient, tool, venv } from '../../support/tool-cache.ts';

const run = promisify(execFile);

/** Later versions want an account; this one wants Python 3.13. */
const LOCALSTACK = '2026.3.0';
const REQUIREMENTS = fileURLToPath(new URL('../emulator/requirements.txt', import.meta.url));

export interface EmulatorPrograms {
  /** The Python that has LocalStack. */
  readonly python: string;
  /** AWS's client of Lambda's runtime API. */
  readonly ric: string;
}

/** Installs the emulator of AWS, in two minutes; kept for the next time. Throws where there is no Python 3.13. */
export async function installEmulator(): Promise<EmulatorPrograms> {
  const folder = await tool(`localstack-${LOCALSTACK}`, async (into) => {
    await venv(into, ['--requirement', REQUIREMENTS], await python313());
  });
  return { python: join(folder, 'bin', 'python'), ric: await lambdaRuntimeClient() };
}

async function python313(): Promise<string> {
  const kept = join(homedir(), '.pyenv', 'versions');
  const versions = existsSync(kept) ? (await readdir(kept)).filter((name) => name.startsWith('3.13.')) : [];
  const programs = [
    process.env['EMULATOR_PYTHON'],
    'python3.13',
    ...versions.map((name) => join(kept, name, 'bin', 'python3')),
  ];
  for (const program of programs) {
    if (program === undefined) continue;
    // A name may be there and lead to nothing, as pyenv's do.
    const { stdout } = await run(program, ['--version']).catch(() => ({ stdout: '' }));
    if (stdout.startsWith('Python 3.13.')) return program;
  }
  throw new Error('the emulator needs Python 3.13, which is not here: name one with EMULATOR_PYTHON');
}
