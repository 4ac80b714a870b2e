import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** One process of a script of package.json. */
interface Step {
  /** The file that Node runs. */
  readonly file: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const own = (file: string, ...words: readonly string[]): Step => ({ file, words });
const packaged = (file: string, ...words: readonly string[]) => own(`node_modules/${file}`, ...words);
/** The processes that tests start find their sources without types, and compiled, as an earlier one left them. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/code', import.meta.url));
const vitest = (env: Step['env'] = {}, ...words: readonly string[]): Step => ({
  ...packaged('vitest/vitest.mjs', 'run', ...words),
  env: { NODE_COMPILE_CACHE, ...env },
});
/** A tier of tests, or its files alone; an environment makes it draw more than CI does. */
const tier = (name: string, env: Step['env'] = {}, ...files: readonly string[]) =>
  vitest({ TEST_TIER: name, ...env }, ...files.map((file) => `test/${name}/${file}.test.ts`));
const bindings = own('cli/bin.ts', 'bindings', 'x86_64');
/** Several checkers each check what they share, which takes twice the work. What an earlier check found is kept. */
const types = packaged(
  'typescript/bin/tsc',
  ...['--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.json'],
);
const typecheck: readonly Step[] = [types, packaged('typescript/bin/tsc', '-p', 'lib/report/page')];
const lint = packaged('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.');
const servers = own('test/servers/install.ts');
const standIns = [bindings, own('test/aws/install.ts'), servers, own('test/deploy/install.ts')];
const red = tier('deploy', { RED: '1', CI: '1' }, 'red');
const FUZZ = { FUZZ_ANSWERS: '20000' };
const MODEL = { MODEL_SEQUENCES: '2000' };
/** The tiers of CI with each of their cases. */
const alone = tier('alone', { DRAWS: 'all', CONNECTIONS: '2000' });
const slow = tier('slow', {
  ...{ ...FUZZ, ...MODEL, DRAWS: 'all', LOSSES: '200', SHAPES_RUNS: '500' },
  ...{ HIDDEN_RUNS: '30', ROUND_TRIPS: '150', WORLDS: '300', LABS: '20' },
});

/**
 * The scripts of package.json that take several steps or an environment: no shell has a say in them, so they are the same
 * on Windows. Steps in a list of their own run side by side, and more words go to the last of them.
 */
const SCRIPTS: Readonly<Record<string, readonly (Step | readonly Step[])[]>> = {
  typecheck,
  test: [[lint, ...typecheck, vitest()]],
  'test:slow': [tier('slow')],
  'test:alone': [tier('alone')],
  'test:servers': [servers, tier('servers')],
  'test:aws': [...standIns, tier('aws')],
  'test:deploy': [bindings, tier('deploy')],
  red: [bindings, red],
  'stand-ins': standIns,
  fuzz: [tier('slow', FUZZ, 'fuzz')],
  model: [tier('slow', MODEL, 'model')],
  nightly: [
    bindings,
    tier('nightly'),
    red,
    own('bench/main.ts'),
    alone,
    slow,
    own('test/mutants/try-named.ts'),
  ],
  views: [vitest({ TEST_TIER: 'aws', WRITE_VIEWS: '1' }, 'test/aws/views.test.ts', '-t', 'columns.json')],
};

/** Scripts with steps that say different things: each runs, even if one before it failed. */
const GO_ON: readonly string[] = ['nightly'];

/** `node scripts/steps.ts NAME`: the steps of a script, until one fails; more words go to the last one. */
const [name = '', ...more] = process.argv.slice(2);
const steps = SCRIPTS[name] ?? [];
for (const [index, step] of steps.entries()) {
  const beside = [step].flat();
  const last = index === steps.length - 1 ? beside.at(-1) : undefined;
  const ended = await Promise.all(
    beside.map(async (each) => ({ each, status: await run(each, each === last ? more : []) })),
  );
  const failed = ended.find(({ status }) => status !== 0);
  if (failed === undefined) continue;
  process.exitCode = failed.status;
  // Steps side by side mix what they say.
  process.stderr.write(`failed: ${[failed.each.file, ...(failed.each.words ?? [])].join(' ')}\n`);
  if (!GO_ON.includes(name)) break;
}
if (steps.length === 0) {
  process.stderr.write(`there is no script ${name}: name one of ${Object.keys(SCRIPTS).join(', ')}\n`);
  process.exitCode = 2;
}

/** Its exit code; 1 where a signal ended it. */
async function run({ file, words = [], env = {} }: Step, more: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [file, ...words, ...more], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    // What is set already is meant: `MODEL_SEQUENCES=10 npm run model`.
    env: { ...env, ...process.env, ...(env['TEST_TIER'] !== undefined && { TEST_TIER: env['TEST_TIER'] }) },
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
