import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { allCommands, wordsOf } from '../cli/support.ts';

/** Why the program refuses a command line before it does anything; undefined where it takes its words. */
async function refusalOf(line: string): Promise<string | undefined> {
  const { program } = await allCommands([]);
  program.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  try {
    await program.parseAsync(wordsOf(line).slice(1), { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
}

const call = promisify(execFile);
/** What users and developers type from: decisions say why, and the changelog says what there is. */
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((file) => join(folder, String(file)))
      .filter((file) => file.endsWith('.md') && !file.startsWith(join('docs', 'decisions'))),
  ),
];

/** The command lines of a page: those of its blocks for a shell, and of the help of each command, without comments. */
function commandLines(text: string): readonly string[] {
  const blocks = text.matchAll(/^ *(`{3,}|~{3,})(.*)\n([\s\S]*?)^ *\1 *$/gm);
  return [...blocks].flatMap(([, , language = '', lines = '']) =>
    lines
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .filter((line) => /^sh *$/.test(language) || (/^text/.test(language) && /^signage-export /.test(line))),
  );
}

const VALIDATE = 'signage-export config validate';

/** What somebody runs who follows a document, in this order. Commands that ask AWS are run by test:aws and test:deploy. */
const JOURNEYS: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    'signage-export demo',
    'signage-export query screen_status --lake out',
    'signage-export init --kind signage --url https://signage.example.com:8443/gv2/webservices/API/v1.12 --key env:SIGNAGE_KEY',
    'signage-export run',
    'signage-export status',
    'signage-export query "select license_type, count(*) n from players group by 1 order by 2 desc"',
    'signage-export report',
  ],
  // What it has of README is run there.
  'docs/use/first-hour.md': ['signage-export check', 'signage-export check --write'],
  'docs/read/questions.md': [
    `signage-export query "select city, count(*) as offline from player_health where health = 'offline' group by city"`,
  ],
  'docs/run/cost.md': ['signage-export estimate --players 1000'],
  'docs/run/recovery.md': ['signage-export status', 'signage-export repair'],
  'docs/use/commands.md': [
    'signage-export config schema > export.config.schema.json',
    'signage-export views --out lake.duckdb',
  ],
  'docs/run/commands.md': [
    'signage-export schema apply licenses.total_count bigint --yes',
    'signage-export rebuild --from 2026-11-01 --yes',
    'signage-export purge --source berlin --yes',
  ],
  'examples/one-customer/README.md': [VALIDATE, 'signage-export estimate --players 1000'],
  'examples/twenty-customers/README.md': [VALIDATE, 'signage-export estimate --players 20000'],
  'examples/laptop/README.md': [VALIDATE],
};
const ASKS_AWS = /^signage-export (smoke|secret|catalog|bindings)\b| --(deployed|athena)\b|s3:\/\//;

/** Programs other than ours: each line must be of one of these forms. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^npm install( --global)?( \S*signage-export-[\d.]+\.tgz)?$/, 'the test of the package installs it'],
  [/^npm (ci|test|pack)$/, 'what every test here begins with'],
  [/^npm ci && npm pack$/, 'the test of the package packs it'],
  [/^npm run (-s )?[\w:-]+/, 'scripts of package.json: looked up below'],
  [/^npx cdk (synth|diff|deploy|bootstrap|destroy)\b/, 'the test of the construct synthesizes each example'],
  [/^docker (compose|buildx) /, 'it needs a builder of images'],
  [/^systemctl enable /, 'the units are verified by systemd-analyze'],
  [/^aws iam create-policy /, 'the test of the deployment makes policies of the same files'],
  [/^duckdb /, 'test/cli opens that database with the library'],
  [/^(pip install 'dbt-core|export LAKE=|dbt (source|build) )/, 'test/servers/dbt.test.ts runs them'],
];

/** test/aws/ways-back.test.ts takes each block of this page from it, and fails where one has no recipe there. */
const RUN_ELSEWHERE = 'docs/run/ways-back.md';

const printed = PAGES.flatMap((page) =>
  commandLines(readFileSync(page, 'utf8')).map((line) => ({
    page,
    line: line.replace(/^npx (?=signage-)/, ''),
  })),
);
const own = printed.filter(({ line }) => line.startsWith('signage-export '));
const linesOf = (page: string) => own.filter((each) => each.page === page).map(({ line }) => line);

let folder: string;
let simulator: Simulator;
let shell: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-printed-'));
  simulator = await startSimulator({ players: 37 });
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const program = join(bin, 'signage-export');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${resolve('cli/bin.ts')}" "$@"\n`);
  await chmod(program, 0o755);
  const { apiKey } = simulator.secrets.signage;
  const PATH = [bin, process.env['PATH']].join(delimiter);
  shell = { ...process.env, PATH, SIGNAGE_KEY: apiKey, NO_COLOR: '1' };
  await mkdir(begun());
  const secrets = JSON.stringify({ signage: simulator.secrets.signage });
  await writeFile(join(begun(), 'secrets.json'), secrets, { mode: 0o600 });
  const words = ['--kind', 'signage', '--url', simulator.url, '--key', 'env:SIGNAGE_KEY'];
  await run(`signage-export init --no-check --name berlin ${words.join(' ')}`, begun());
  await run('signage-export run', begun());
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** A folder in which `init` was called, and in which one run is. */
const begun = () => join(folder, 'begun');

async function run(line: string, cwd: string) {
  return await call('sh', ['-c', line], { cwd, env: shell }).catch((error) => error);
}

/** The lines that fail there, one after the other, each with what it said. */
async function failuresOf(lines: readonly string[], place: string): Promise<readonly object[]> {
  const failed: object[] = [];
  for (const line of lines) {
    const standIn = line.replaceAll(/https:\/\/signage\.example\.com(:\d+)?/g, simulator.url);
    const { code = 0, stderr } = await run(standIn, place);
    if (code !== 0 && code !== 3) failed.push({ line, code, stderr: String(stderr).slice(-300) });
  }
  return failed;
}

describe('every command of README, docs, examples and help', () => {
  it('is ours, or of a known form', () => {
    const known = [/^signage-export /, ...FOREIGN.map(([pattern]) => pattern)];
    const others = printed.filter(({ line }) => !known.some((pattern) => pattern.test(line)));
    expect(others.filter(({ page }) => page !== RUN_ELSEWHERE)).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const called = printed.flatMap(({ line }) => /npm run (?:-s )?([\w:-]+)/.exec(line)?.[1] ?? []);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('is a command that there is, with arguments and options that it takes', async () => {
    expect(own.length).toBeGreaterThan(15);
    const lines = [...new Set(own.map(({ line }) => line))];
    const ends = await Promise.all(lines.map(async (line) => [line, await refusalOf(line)]));
    expect(ends.filter(([, refusal]) => refusal !== undefined)).toEqual([]);
  });

  it('belongs to a document of which a journey is run, or asks AWS', () => {
    const without = own.filter(({ page, line }) => JOURNEYS[page] === undefined && !ASKS_AWS.test(line));
    expect(without).toEqual([]);
  });

  it.each(Object.entries(JOURNEYS))('works as it is printed in %s', async (page, lines) => {
    expect(lines.filter((line) => !linesOf(page).includes(line))).toEqual([]);
    const place = join(folder, page.replaceAll(/\W/g, '-'));
    // README goes on with what its `init` wrote; elsewhere a config and a lake are expected.
    if (page === 'README.md') await mkdir(place);
    else await cp(begun(), place, { recursive: true });
    expect(existsSync(join(place, 'lake'))).toBe(page !== 'README.md');
    expect(await failuresOf(lines, place)).toEqual([]);
  });
});
