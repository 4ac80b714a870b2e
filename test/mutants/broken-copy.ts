import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A run that takes longer has noticed; one of another tier than the fast one may take three times as long. */
const LIMIT_MS = 600_000;

/** On a busy machine a test that is merely slow has noticed nothing. */
const PATIENT = ['--testTimeout=180000', '--hookTimeout=180000'];

/** How some test files ended. */
export interface Ended {
  readonly isGreen: boolean;
  /** The first test that failed, as Vitest names it; empty where none did, or where the run was ended. */
  readonly failed: string;
}

/** The words that git answers with, a line each. */
function git(...words: readonly string[]): readonly string[] {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** Copies the repository as it is, new files too, what git ignores aside, into a folder for temporary files. */
export async function brokenCopy() {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-mutants-'));
  for (const file of git('ls-files', '--cached', '--others', '--exclude-standard'))
    await cp(join(ROOT, file), join(folder, file), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('git', ['init', '--quiet', folder]);
  execFileSync('git', ['-C', folder, 'add', '--all']);
  return {
    /** Does a step while a file has another text. */
    whileBroken: async <Result>(
      file: string,
      brokenText: (text: string) => string,
      step: () => Promise<Result>,
    ) => {
      const path = join(folder, file);
      const text = await readFile(path, 'utf8');
      await writeFile(path, brokenText(text));
      try {
        return await step();
      } finally {
        await writeFile(path, text);
      }
    },
    /** Runs test files of a tier, all of it where none is named, until the first one fails. */
    test: (tier: string, files: readonly string[]) => endOf({ folder, tier, files }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The tier of a test file, by its folder. */
export function tierOf(test: string): string {
  return /^test\/(slow|alone|servers|aws|deploy|nightly)\//.exec(test)?.[1] ?? 'fast';
}

function endOf({
  folder,
  tier,
  files,
}: {
  readonly folder: string;
  readonly tier: string;
  readonly files: readonly string[];
}): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--no-color', ...PATIENT, ...files],
    {
      cwd: folder,
      env: { ...process.env, TEST_TIER: tier },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS * (tier === 'fast' ? 1 : 3),
      killSignal: 'SIGKILL',
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ isGreen: code === 0, failed: /^ *FAIL +(.*)$/m.exec(said)?.[1]?.trim() ?? '' }),
    );
  });
}
