import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LITTLE_MEMORY } from '#cli/restart-with-little-memory.ts';

const call = promisify(execFile);
const MB = 1_000_000;

let folder: string;
let tarball: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-package-'));
  await call('npm', ['pack', '--pack-destination', folder]);
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  await writeFile(join(folder, 'package.json'), '{}');
  await call('npm', ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', tarball], {
    cwd: folder,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inPackage = (file: string) => join(folder, 'node_modules/signage-export', file);

/** What an installed command says, called as npm made it; with a folder of a Node, by that Node. */
async function installed(args: readonly string[], bin = dirname(process.execPath)) {
  const program = join(folder, 'node_modules/.bin/signage-export');
  const path = [bin, process.env['PATH']].join(delimiter);
  return await call(program, args, { cwd: folder, env: { ...process.env, PATH: path, NO_COLOR: '1' } });
}

describe('the package, in an empty folder, without the repository', () => {
  it('is small, and brings no script that runs when it is installed', async () => {
    expect((await stat(tarball)).size).toBeLessThan(5 * MB);
    const { scripts } = JSON.parse(await readFile(inPackage('package.json'), 'utf8'));
    expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/install$/)]));
  });

  it('brings the schema of a config, which init writes beside it', async () => {
    const schema = await readFile(inPackage('dist/config.schema.json'), 'utf8');
    expect((await installed(['config', 'schema'])).stdout).toBe(schema);
    const words = '--kind signage --url https://a.example --key env:KEY --no-check'.split(' ');
    const place = ['--config', 'first/export.config.json'];
    await installed(['init', ...words, ...place]);
    expect(await readFile(join(folder, 'first/export.config.schema.json'), 'utf8')).toBe(schema);
    await installed(['config', 'validate', ...place]);
  });

  it('says its version, exports a demo, answers SQL and writes the report', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect((await installed(['--version'])).stdout).toBe(`${version}\n`);
    expect((await installed(['demo'])).stdout).toContain('\n  signage-export status --lake ./out\n');
    // Nobody begins with a run that is still to come.
    expect((await installed(['status', '--lake', './out'])).stdout).not.toContain('still to come');
    const count = ['query', 'select count(*) n from players', '--lake', 'out', '--format', 'csv'];
    expect((await installed(count)).stdout).toMatch(/^n\r?\n210\r?\n$/);
    await installed(['report', '--lake', 'out', '--xlsx', 'report.xlsx', '--out', 'report.html']);
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('<script type="application/json"');
  });

  it('does the same on Node 22, and says nothing of how it is made', async () => {
    const own = join(folder, 'node22');
    await call('npm', ['install', '--prefix', own, '--no-audit', '--no-fund', 'node@22']);
    const bin = join(own, 'node_modules/node/bin');
    expect((await call(join(bin, 'node'), ['--version'])).stdout).toMatch(/^v22\./);
    const few = ['--players', '10', '--days', '2'];
    const { stderr } = await installed(['demo', ...few, '--lake', 'out22'], bin);
    expect(stderr).not.toMatch(/warning/i);
    const count = ['query', 'select count(*) n from screens', '--lake', 'out22', '--json'];
    expect(JSON.parse((await installed(count, bin)).stdout)).not.toEqual([]);
    expect((await installed(['status', '--lake', 'out22'], bin)).stderr).toBe('');
    await installed(['report', '--lake', 'out22', '--out', 'report22.html'], bin);
    expect(await readFile(join(folder, 'report22.html'), 'utf8')).toContain('<script');
  });

  it('brings the notices of all packages whose code is in it, those of the charts too', async () => {
    const notices = await readFile(inPackage('dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toMatch(/^echarts \d[\s\S]*^zod \d[\s\S]*^zrender \d/m);
  });

  it('says in a sentence that a Node is too old', async () => {
    const hook = join(folder, 'old-node.mjs');
    const versions = "{ ...process.versions, node: '20.20.2' }";
    await writeFile(hook, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
    const program = inPackage('dist/signage-export.js');
    const called = call(process.execPath, ['--import', hook, program, '--version']);
    const stderr =
      'signage-export needs Node 22.15 or newer; this is Node 20.20.2: install a newer one from https://nodejs.org.\n';
    await expect(called).rejects.toMatchObject({ code: 2, stdout: '', stderr });
  });

  it('runs large commands with little memory, in one process, and the others as they come', async () => {
    const hook = join(folder, 'settings.mjs');
    const told = 'JSON.stringify([process.execArgv, process.env.MALLOC_ARENA_MAX ?? null])';
    await writeFile(hook, `process.on('exit', () => process.stderr.write(${told} + '\\n'));`);
    const settingsOf = async (...words: readonly string[]) => {
      const program = inPackage('dist/signage-export.js');
      const { stderr } = await call(process.execPath, ['--import', hook, program, ...words]);
      return stderr.trim().split('\n');
    };
    const little = [[...LITTLE_MEMORY.flags, '--import', hook], LITTLE_MEMORY.env.MALLOC_ARENA_MAX];
    expect(await settingsOf('run', '--help')).toEqual([JSON.stringify(little)]);
    expect(await settingsOf('status', '--help')).toEqual([JSON.stringify([['--import', hook], null])]);
  });
});

it('no script of package.json needs a shell', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const shell = Object.entries<string>(scripts).filter(([, text]) => /[&|;$<>`'"*~]|^\w+=/.test(text));
  expect(shell).toEqual([]);
});

it('the image of the Dockerfile is built, and runs the demo without a root user', async (context) => {
  const isThere = await call('docker', ['info']).then(
    () => true,
    () => false,
  );
  // Said plainly by the report of the tests: where no builder is, the image is not tried.
  if (!isThere) return context.skip('no builder of images is on this machine: the Dockerfile was not built');
  const tag = 'signage-export:test';
  await call('docker', ['build', '--tag', tag, '.'], { maxBuffer: 2 ** 26 });
  const run = (...words: readonly string[]) => call('docker', ['run', '--rm', ...words]);
  const { stdout } = await run(tag, 'demo', '--lake', '/data/out');
  expect(stdout).toContain('signage-export status --lake /data/out');
  expect((await run('--entrypoint', 'id', tag, '-u')).stdout.trim()).not.toBe('0');
});
