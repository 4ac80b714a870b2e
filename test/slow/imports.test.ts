import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';

/** Writes the address of each module that is loaded to file descriptor 3. */
const HOOK = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ resolve(name, context, next) {
    const found = next(name, context);
    writeSync(3, found.url + '\\n');
    return found;
  } });
`)}`;

/** What takes long to load, and what only some commands use. */
const COSTLY: Readonly<Record<string, RegExp>> = {
  aws: /node_modules\/@aws-sdk\/client-(?!lambda)/,
  charts: /node_modules\/echarts\//,
  deployed: /node_modules\/(aws-cdk-lib|@middy)\//,
  duckdb: /node_modules\/@duckdb\//,
  esbuild: /node_modules\/esbuild\//,
  http: /node_modules\/undici\//,
  interpreter: /node_modules\/aws-local-stepfunctions\//,
  ky: /node_modules\/ky\//,
  prompts: /node_modules\/@clack\//,
  simulator: /\/simulator\//,
};

/** What a command loads of it before it begins; the others load nothing. DuckDB is loaded by whoever opens one, and ky by the first call. */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  init: ['http'],
  run: ['http', 'interpreter'],
  schedule: ['http', 'interpreter'],
  check: ['http'],
  simulate: ['simulator'],
  demo: ['http', 'interpreter', 'simulator'],
  repair: ['http', 'interpreter'],
  catalog: ['aws'],
  secret: ['aws', 'prompts'],
  smoke: ['aws'],
};

/** The names of what is loaded by that command line. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const words = ['--import', HOOK, 'cli/main.ts', ...args];
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe', 'pipe'];
  const { status, output, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', stdio });
  if (status !== 0) throw new Error(stderr);
  const modules = (output[3] ?? '').split('\n');
  expect(modules.length).toBeGreaterThan(5);
  const isLoaded = (pattern: RegExp) => modules.some((url) => pattern.test(url));
  return Object.keys(COSTLY).filter((name) => isLoaded(COSTLY[name] ?? /^$/));
}

describe('a command loads only what it uses', () => {
  for (const option of ['--version', '--help'])
    it(`${option}: nothing`, () => expect(loadedBy(option)).toEqual([]));

  for (const { name } of COMMANDS)
    it(`${name}: ${LOADS[name]?.join(', ') || 'nothing'}`, () => {
      expect(loadedBy(name, '--help')).toEqual(LOADS[name] ?? []);
    });
});
