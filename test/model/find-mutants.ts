import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTANTS, type Mutant } from './mutants.ts';

/*
 * Removes one fix after another from a copy of the code. Says in which sequence the model finds that: `npm run
 * mutants:model [NAME…]`. MODEL_SEQUENCES (60), MODEL_SEED and MODEL_KINDS go to the model. Exits with 1 if one is not
 * found.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEEDED = ['lib', 'cli', 'functions', 'simulator', 'infra', 'queries', 'test'];
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts'];

const names = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
if (chosen.length === 0) throw new Error(`name one of ${MUTANTS.map(({ name }) => name).join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'signage-export-mutants-'));
try {
  for (const each of [...NEEDED, ...FILES])
    await cp(join(ROOT, each), join(folder, each), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const mutant of chosen) {
    const began = Date.now();
    const found = await sequenceOf(mutant);
    const seconds = Math.round((Date.now() - began) / 1000);
    process.stdout.write(
      `${mutant.name.padEnd(16)} ${found === undefined ? 'not found' : `sequence ${found}`}, ${seconds} s: ${mutant.fault}\n`,
    );
    if (found === undefined) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The sequence, from 1, in which the model fails without the mend; undefined where all are green. */
async function sequenceOf({ file, from, to }: Mutant): Promise<string | undefined> {
  const path = join(folder, file);
  const code = await readFile(path, 'utf8');
  if (code.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  await writeFile(
    path,
    code.replace(from, () => to),
  );
  try {
    const said = await modelIn(folder);
    const [, after] = /Property failed after (\d+) tests/.exec(said) ?? [];
    if (after === undefined && !said.includes('model: seed'))
      throw new Error(`the model did not run:\n${said}`);
    return after;
  } finally {
    await writeFile(path, code);
  }
}

function modelIn(cwd: string): Promise<string> {
  const env = { ...process.env, TEST_TIER: 'slow', MODEL_SHRINK: '0' };
  const model = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/slow/model.test.ts'],
    { cwd, env },
  );
  let said = '';
  for (const stream of [model.stdout, model.stderr])
    stream.on('data', (text: Buffer) => {
      said += text.toString('utf8');
    });
  return new Promise((resolve, reject) => {
    model.on('error', reject);
    model.on('close', () => resolve(said));
  });
}
