import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createChance } from '../support/chance.ts';
import { brokenCopy, git, ROOT, tierOf } from './broken-copy.ts';
import { codeMutations } from './code-mutations.ts';
import { flowMutations } from './flow-mutations.ts';
import type { Mutation } from './mutation.ts';
import { relatedTests } from './related-tests.ts';
import { sqlMutations } from './sql-mutations.ts';

/*
 * Puts one wrong line after another into a copy of the repository and says which of them no test notices: `npm run
 * mutants -- --count 200 --seed 1 --since main lib/lake infra`; `--from 41` goes on with the 41st. The seed draws
 * lines, from the files below the paths, or from those that changed since a commit. The tests nearest to a line run
 * first, then all others of the fast tier, then, with `--slow`, those of the slow tier that reach it; with `--near` the
 * nearest alone. `--only 'join key'` draws the wrong lines of one kind alone: there, a join, partition or group that
 * loses its source.
 */

/** Where promises are kept; the simulator and the tests are not judged. */
const JUDGED = ['lib', 'cli', 'functions', 'infra', 'queries'];
/** Test files that run before all others. */
const NEAREST = 16;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    since: { type: 'string' },
    only: { type: 'string' },
    near: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

interface Mutant extends Mutation {
  readonly file: string;
  readonly line: number;
}

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
  .map(({ ofLine }) => chance.oneOf(ofLine))
  .slice(Number(options.from) - 1);
process.stdout.write(`${drawn.length} of ${lines.size} lines, seed ${options.seed}\n`);

await using copy = await brokenCopy();
const survivors: Mutant[] = [];
const related = relatedTests();
for (const [index, mutant] of drawn.entries()) {
  const began = performance.now();
  const by = options.list ? 'not tried' : await noticedBy(mutant, related(mutant.file));
  if (by === undefined) survivors.push(mutant);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${index + Number(options.from)} ${by ?? 'SURVIVED'} (${seconds} s) ${told(mutant)}\n`,
  );
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
  const wanted = made.filter(({ operator }) => options.only === undefined || operator === options.only);
  return wanted.map((each) => ({ ...each, file, line: text.slice(0, each.start).split('\n').length }));
}

/** The first tests that fail on the wrong line; undefined where all are green. */
async function noticedBy(mutant: Mutant, tests: readonly string[]): Promise<string | undefined> {
  const ofFast = tests.filter((test) => tierOf(test) === 'fast');
  const ofSlow = tests.filter((test) => tierOf(test) === 'slow');
  const isGreen = async (tier: string, files: readonly string[]) => (await copy.test(tier, files)).isGreen;
  const brokenText = (text: string) =>
    `${text.slice(0, mutant.start)}${mutant.text}${text.slice(mutant.end)}`;
  return await copy.whileBroken(mutant.file, brokenText, async () => {
    if (ofFast.length > 0 && !(await isGreen('fast', ofFast.slice(0, NEAREST)))) return 'near';
    if (options.near) return undefined;
    if (!(await isGreen('fast', []))) return 'fast';
    return options.slow && !(await isGreen('slow', ofSlow)) ? 'slow' : undefined;
  });
}

/** `lib/lake/lease.ts:12 comparison: "<" becomes "<="`. */
function told({ file, line, operator, start, end, text }: Mutant): string {
  const from = execFileSync('git', ['show', `:${file}`], { cwd: ROOT, encoding: 'utf8' }).slice(start, end);
  const short = (of: string) => JSON.stringify(of.length > 90 ? `${of.slice(0, 90)}…` : of);
  return `${file}:${line} ${operator}: ${short(from)} becomes ${short(text)}`;
}
