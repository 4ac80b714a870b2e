import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '#simulator/server.ts';

const call = promisify(execFile);
const EXAMPLES = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
  ...EXAMPLES.map(({ name }) => join('examples', name, 'README.md')),
];

interface Printed {
  readonly page: string;
  readonly line: string;
}

/** The command lines of a page: those of its blocks for a shell, and of the help of each command, without comments. */
function commandLines(page: string): readonly Printed[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```(sh|text)\n([\s\S]*?)^```/gm)];
  return blocks.flatMap(([, kind, text = '']) =>
    text
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .filter((line) => kind === 'sh' || line.startsWith('signage-export '))
      .map((line) => ({ page, line })),
  );
}

/** Why a command is not run as it is printed. What it is called with is compared with its help all the same. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/ (--deployed|--athena)\b|s3:\/\//, 'it asks a deployed stack, which test:deploy does on an emulator'],
  [/^signage-export (smoke|secret|catalog)\b/, 'it asks AWS, as test:deploy and test:aws do'],
  [/^signage-export (simulate|schedule)\b/, 'it lasts until it is stopped: test/cli has its tests'],
  [/^signage-export bindings\b/, 'it fetches 24 MB, which the test of the construct does'],
  [
    /^signage-export repair\b/,
    'nothing of the run here is denied or failed: test/slow/repair.test.ts has such runs',
  ],
  [
    /^signage-export (rebuild|purge|rollback|schema (apply|new-mask-key))\b/,
    'it changes the lake that the others ask',
  ],
  [/^signage-export init$/, 'it asks on a terminal: the test of init has one'],
  [/^signage-export completion\b/, 'its output is for a shell'],
];

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

const printed = PAGES.flatMap(commandLines).map(({ page, line }) => ({
  page,
  line: line.replace(/^npx signage-export /, 'signage-export '),
}));
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

/** The command with what stands here for a customer's address, and for a time that is not before that of the lake. */
const standIn = (line: string) =>
  line
    .replaceAll(/https:\/\/(signage|backup)\.example\.com(:\d+)?/g, simulator.url)
    .replace(/--run-time \S+/, `--run-time ${new Date().toISOString()}`);

async function run(line: string, cwd: string) {
  return await call('sh', ['-c', line], { cwd, env: shell }).catch((error) => error);
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
      const isFromFirst = page === 'README.md';
      if (!isFromFirst) {
        await run(`signage-export init --no-check --name berlin ${words.join(' ')}`, place);
        await run('cp export.config.json berlin.json && signage-export run', place);
      }
      await run('signage-export demo --lake out', place);
      const failed: object[] = [];
      for (const line of new Set(lines)) {
        const isFirst = line.startsWith('signage-export init') && !isFromFirst;
        const { code = 0, stderr } = await run(standIn(line), isFirst ? await workplace(line) : place);
        if (code !== 0 && code !== 3) failed.push({ line, code, stderr: String(stderr).slice(-300) });
      }
      expect(failed).toEqual([]);
    },
  );

  it('is called with options that its help has, where it is not run', async () => {
    const wrong: object[] = [];
    for (const line of new Set(own.filter((each) => !isRun(each)).map(({ line: text }) => text))) {
      const [, name = '', inner = ''] = line.split(' ');
      const { stdout: help } = await run(`signage-export ${name} --help`, folder);
      const isInner = new RegExp(`^  ${inner} `, 'm').test(String(help).split('Commands:')[1] ?? '');
      const { stdout } = isInner
        ? await run(`signage-export ${name} ${inner} --help`, folder)
        : { stdout: help };
      const options = line.match(/(?<= )--[a-z-]+/g) ?? [];
      const unknown = options.filter((option) => !String(stdout).includes(option));
      if (unknown.length > 0 || !String(stdout).startsWith(`Usage: signage-export ${name}`))
        wrong.push({ line, unknown });
    }
    expect(wrong).toEqual([]);
  });
});
