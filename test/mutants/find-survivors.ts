import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createChance } from '../../scripts/chance.ts';
import { codeMutations } from './code-mutations.ts';
import { flowMutations } from './flow-mutations.ts';
import type { Mutation } from './mutation.ts';
import { relatedTests } from './related-tests.ts';
import { sqlMutations } from './sql-mutations.ts';

/*
 * Puts one wrong line after another into a copy of the repository and says which of them no test notices:
 * `npm run mutants -- --count 200 --seed 1 --since main lib/lake infra`. Lines are drawn by the seed, from the files below
 * the given paths, or from those that changed since a commit. The tests nearest to a line run first, then all others of the
 * fast tier, then, with `--slow`, those of the slow tier that reach it; with `--near` the nearest alone.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Where promises are kept; the simulator and the tests are not judged. */
const JUDGED = ['lib', 'cli', 'functions', 'infra', 'queries'];
/** Test files that run before all others. */
const NEAREST = 16;
const LIMIT_MS = 600_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    since: { type: 'string' },
    near: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

interface Mutant extends Mutation {
  readonly file: string;
  readonly line: number;
}

const git = (...words: readonly string[]) =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
const paths = positionals.length > 0 ? positionals : JUDGED;
const files =
  options.since === undefined
    ? git('ls-files', ...paths)
    : git('diff', '--name-only', '--diff-filter=d', options.since, '--', ...paths);
const lines = Map.groupBy(
  (await Promise.all(files.map(mutantsOf))).flat(),
  ({ file, line }) => `${file}:${line}`,
);
const chance = createChance(Number(options.seed));
const drawn = [...lines.values()]
  .map((ofLine) => ({ ofLine, place: chance.number() }))
  .sort((one, other) => one.place - other.place)
  .slice(0, Number(options.count))
  .map(({ ofLine }) => chance.oneOf(ofLine));
process.stdout.write(`${drawn.length} of ${lines.size} lines, seed ${options.seed}\n`);

const folder = await mkdtemp(join(tmpdir(), 'signage-export-mutants-'));
const survivors: Mutant[] = [];
try {
  for (const file of git('ls-files')) await cp(join(ROOT, file), join(folder, file), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('git', ['init', '--quiet', folder]);
  execFileSync('git', ['-C', folder, 'add', '--all']);
  const related = relatedTests();
  for (const [index, mutant] of drawn.entries()) {
    const began = performance.now();
    const by = options.list ? 'not tried' : await noticedBy(mutant, related(mutant.file));
    if (by === undefined) survivors.push(mutant);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(`${index + 1} ${by ?? 'SURVIVED'} (${seconds} s) ${told(mutant)}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const [room, of] of Map.groupBy(drawn, ({ file }) => dirname(file))) {
  const left = of.filter((each) => survivors.includes(each));
  process.stdout.write(`${room}: ${of.length - left.length} of ${of.length} noticed\n`);
}
const noticed = drawn.length - survivors.length;
process.stdout.write(
  `${noticed} of ${drawn.length} noticed, ${Math.round((100 * noticed) / drawn.length)} %\n`,
);
for (const each of survivors) process.stdout.write(`survived: ${told(each)}\n`);

/** What the file's wrong lines are: none for a file of another kind. */
async function mutantsOf(file: string): Promise<readonly Mutant[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const made = file.endsWith('.sql')
    ? sqlMutations(text)
    : file.endsWith('.asl.json')
      ? flowMutations(text)
      : file.endsWith('.ts') && !file.endsWith('.d.ts')
        ? codeMutations(file, text)
        : [];
  return made.map((each) => ({ ...each, file, line: text.slice(0, each.start).split('\n').length }));
}

/** The first tests that fail on the wrong line; undefined where all are green. */
async function noticedBy(mutant: Mutant, tests: readonly string[]): Promise<string | undefined> {
  const path = join(folder, mutant.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, `${text.slice(0, mutant.start)}${mutant.text}${text.slice(mutant.end)}`);
  const ofFast = tests.filter((test) => !/^test\/(slow|alone|servers|aws|deploy)\//.test(test));
  const ofSlow = tests.filter((test) => test.startsWith('test/slow/'));
  try {
    if (ofFast.length > 0 && !(await isGreen('fast', ofFast.slice(0, NEAREST)))) return 'near';
    if (options.near) return undefined;
    if (!(await isGreen('fast', []))) return 'fast';
    return options.slow && !(await isGreen('slow', ofSlow)) ? 'slow' : undefined;
  } finally {
    await writeFile(path, text);
  }
}

/** True where these test files, or all of a tier, are green; what does not end in its time is not. */
function isGreen(tier: string, tests: readonly string[]): Promise<boolean> {
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...tests];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, TEST_TIER: tier },
    stdio: 'ignore',
    timeout: LIMIT_MS * (tier === 'slow' ? 3 : 1),
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

/** `lib/lake/lease.ts:12 comparison: "<" becomes "<="`. */
function told({ file, line, operator, start, end, text }: Mutant): string {
  const from = execFileSync('git', ['show', `:${file}`], { cwd: ROOT, encoding: 'utf8' }).slice(start, end);
  const short = (of: string) => JSON.stringify(of.length > 90 ? `${of.slice(0, 90)}…` : of);
  return `${file}:${line} ${operator}: ${short(from)} becomes ${short(text)}`;
}
