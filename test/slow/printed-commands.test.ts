import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '#simulator/server.ts';

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

interface Printed {
  readonly page: string;
  readonly line: string;
}

/** The blocks of a page, each with its language. */
function blocksOf(text: string): readonly { readonly language: string; readonly lines: readonly string[] }[] {
  return [...text.matchAll(/^ *(`{3,}|~{3,})(.*)\n([\s\S]*?)^ *\1 *$/gm)].map(
    ([, , language = '', lines = '']) => ({
      language: language.trim(),
      lines: lines.split('\n'),
    }),
  );
}

/** The command lines of a page: those of its blocks for a shell, and of the help of each command, without comments. */
function commandLines(text: string): readonly string[] {
  return blocksOf(text).flatMap(({ language, lines }) =>
    lines
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .filter((line) => language === 'sh' || (language === 'text' && line.startsWith('signage-export '))),
  );
}

/** Why a command is not run as it is printed. What it is called with is compared with its help all the same. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/ (--deployed|--athena)\b|s3:\/\//, 'it asks a deployed stack, which test:deploy does on an emulator'],
  [/^signage-export (smoke|secret|catalog)\b/, 'it asks AWS, as test:deploy and test:aws do'],
  [/^signage-export bindings\b/, 'it fetches 24 MB, which the test of the construct does'],
  [/^signage-export schema new-mask-key\b/, 'it needs a config with masks: test/slow/masks.test.ts has one'],
  [/^signage-export init$/, 'it asks on a terminal: the test of init has one'],
];

/** What lasts until it is stopped, and what it says once it has begun. */
const LASTING: readonly (readonly [RegExp, RegExp])[] = [
  [/^signage-export simulate\b/, /Both APIs are at/],
  [/^signage-export schedule\b/, /the next run is due at/],
];

/** What changes the lake that the others ask, in the order in which the lake can take it: it is run after them. */
const CHANGING: readonly RegExp[] = ['repair', 'schema apply', 'rebuild', 'rollback', 'purge'].map(
  (words) => new RegExp(`^signage-export ${words}\\b`),
);
const turnOf = (line: string) => CHANGING.findIndex((pattern) => pattern.test(line));

/** Programs other than ours: each line must be of one of these forms. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^npm install( --global)?( \S*signage-export-[\d.]+\.tgz)?$/, 'the test of the package installs it'],
  [/^npm (ci|test|pack)$/, 'what every test here begins with'],
  [/^npm ci && npm pack$/, 'the test of the package packs it'],
  [/^npm run (-s )?[\w:-]+/, 'scripts of package.json: looked up below'],
  [/^npx cdk (synth|diff|deploy|bootstrap|destroy)\b/, 'the test of the construct synthesizes each example'],
  [/^docker (compose|buildx) /, 'it needs a builder of images'],
  [/^systemctl enable /, 'the units are verified by systemd-analyze'],
  [/^duckdb /, 'test/cli opens that database with the library'],
];

const printed: readonly Printed[] = PAGES.flatMap((page) =>
  commandLines(readFileSync(page, 'utf8')).map((line) => ({
    page,
    line: line.replace(/^npx signage-export /, 'signage-export '),
  })),
);
const own = printed.filter(({ line }) => line.startsWith('signage-export '));
const isRun = ({ line }: Printed) => !NOT_RUN.some(([pattern]) => pattern.test(line));

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
  shell = {
    ...process.env,
    PATH: [bin, process.env['PATH']].join(delimiter),
    SIGNAGE_KEY: simulator.secrets.signage.apiKey,
    NO_COLOR: '1',
  };
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** An empty folder in which `init` was called, and in which one run and the demo are. */
async function workplace(name: string): Promise<string> {
  const place = join(folder, name.replaceAll(/\W/g, '-'));
  await mkdir(place);
  await writeFile(join(place, 'berlin.key'), simulator.secrets.signage.apiKey, { mode: 0o600 });
  await writeFile(join(place, 'vault-token'), simulator.secrets.backup.accessToken, { mode: 0o600 });
  await writeFile(join(place, 'secrets.json'), JSON.stringify({ signage: simulator.secrets.signage }), {
    mode: 0o600,
  });
  return place;
}

/** The command with what stands here for a customer's address, for a time that is not before that of the lake, and for a port. */
const standIn = (line: string) =>
  line
    .replaceAll(/https:\/\/(signage|backup)\.example\.com(:\d+)?/g, simulator.url)
    .replace(/--run-time \S+/, `--run-time ${new Date().toISOString()}`)
    .replace(/^signage-export simulate\b/, '$& --port 0');

async function run(line: string, cwd: string) {
  return await call('sh', ['-c', line], { cwd, env: shell }).catch((error) => error);
}

/** The run that a rollback can go to, in the place of the printed one. */
async function rollbackIn(line: string, place: string): Promise<string> {
  if (!line.startsWith('signage-export rollback')) return line;
  const { stdout } = await run('signage-export status --json', place);
  return line.replace(/\d{8}T\d{6}Z/, JSON.parse(String(stdout)).back.rollbacks[0].runId);
}

/** Runs what lasts until it says that it has begun, and has it ended as a service is. */
async function runLasting(line: string, begun: RegExp, cwd: string) {
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd, env: shell });
  let stderr = '';
  const hear = (chunk: unknown) => {
    stderr += String(chunk);
    if (begun.test(stderr)) child.kill('SIGTERM');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const [code] = await once(child, 'close');
  return { code: begun.test(stderr) ? code : 'it never began', stderr };
}

/** The lines that fail in that place, each with what it said; those that change its lake are run after the others. */
async function failuresOf(lines: readonly string[], place: string): Promise<readonly object[]> {
  const failed: object[] = [];
  for (const line of [...new Set(lines)].sort((a, b) => turnOf(a) - turnOf(b))) {
    const lasting = LASTING.find(([pattern]) => pattern.test(line));
    const command = await rollbackIn(standIn(line), place);
    const { code = 0, stderr } = lasting
      ? await runLasting(command, lasting[1], place)
      : await run(command, isSecondInit(line, place) ? await workplace(line) : place);
    if (code !== 0 && code !== 3) failed.push({ line, code, stderr: String(stderr).slice(-300) });
  }
  return failed;
}

/** init refuses a folder that has a config. */
function isSecondInit(line: string, place: string): boolean {
  return line.startsWith('signage-export init') && existsSync(join(place, 'export.config.json'));
}

/** The options of a command line that the help of its command does not have; undefined where there is no such command. */
async function unknownOptionsOf(line: string): Promise<readonly string[] | undefined> {
  const [, name = '', inner = ''] = line.split(' ');
  const { stdout: help } = await run(`signage-export ${name} --help`, folder);
  const isInner = new RegExp(`^  ${inner} `, 'm').test(String(help).split('Commands:')[1] ?? '');
  const { stdout } = isInner ? await run(`signage-export ${name} ${inner} --help`, folder) : { stdout: help };
  if (!String(stdout).startsWith(`Usage: signage-export ${name}`)) return undefined;
  return (line.match(/(?<= )--[a-z-]+/g) ?? []).filter((option) => !String(stdout).includes(option));
}

describe('every command of README, docs, examples and help', () => {
  it('is ours, or of a known form', () => {
    expect(own.length).toBeGreaterThan(15);
    const foreign = printed.filter(({ line }) => !line.startsWith('signage-export '));
    expect(foreign.filter(({ line }) => !FOREIGN.some(([pattern]) => pattern.test(line)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const called = printed.flatMap(({ line }) => /npm run (?:-s )?([\w:-]+)/.exec(line)?.[1] ?? []);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(PAGES.filter((page) => own.some((each) => each.page === page && isRun(each))))(
    'runs as it is printed in %s',
    async (page) => {
      const place = await workplace(page);
      const words = ['--kind', 'signage', '--url', simulator.url, '--key', 'env:SIGNAGE_KEY'];
      const lines = own.filter((each) => each.page === page && isRun(each)).map(({ line }) => line);
      // README goes on with what `init` wrote; elsewhere a config and a lake are expected.
      if (page !== 'README.md') {
        await run(`signage-export init --no-check --name berlin ${words.join(' ')}`, place);
        await run('cp export.config.json berlin.json && signage-export run', place);
      }
      await run('signage-export demo --lake out', place);
      expect(await failuresOf(lines, place)).toEqual([]);
    },
  );

  it('is called with options that its help has, where it is not run', async () => {
    const wrong: object[] = [];
    for (const line of new Set(own.filter((each) => !isRun(each)).map(({ line: text }) => text))) {
      const unknown = await unknownOptionsOf(line);
      if (unknown?.length !== 0) wrong.push({ line, unknown });
    }
    expect(wrong).toEqual([]);
  });

  it('stands in a block whose language is looked for', () => {
    const languages = PAGES.flatMap((page) => blocksOf(readFileSync(page, 'utf8'))).map(
      ({ language }) => language,
    );
    const known = ['sh', 'text', 'csv', 'json', 'jsonc', 'mermaid', 'python', 'sql', 'ts', 'yaml'];
    expect([...new Set(languages)].sort()).toEqual(known.sort());
  });

  it('is found, and refused where it is wrong', async () => {
    const page = [
      'Text with `signage-export none`, and blocks:',
      '```sh',
      'signage-export query nope    # a comment',
      '# signage-export commented out',
      '```',
      '1. in a list',
      '   ```sh',
      '   signage-export staus',
      '   ```',
      '```text',
      'Examples:',
      '  signage-export smoke --nope',
      '```',
    ].join('\n');
    const [query = '', typo = '', smoke = ''] = commandLines(page);
    expect([query, typo, smoke]).toEqual([
      'signage-export query nope',
      'signage-export staus',
      'signage-export smoke --nope',
    ]);
    const place = await workplace('wrong');
    expect(await failuresOf([query, typo], place)).toMatchObject([
      { line: query, code: 2, stderr: expect.stringContaining('LAKE_MISSING') },
      { line: typo, code: 2, stderr: expect.stringContaining('Did you mean status?') },
    ]);
    expect(await failuresOf(['signage-export schedule --config none.json'], place)).toMatchObject([
      { code: 'it never began' },
    ]);
    expect([await unknownOptionsOf(smoke), await unknownOptionsOf(typo)]).toEqual([['--nope'], undefined]);
  });
});
