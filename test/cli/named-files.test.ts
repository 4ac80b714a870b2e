import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notWritten } from '#cli/named-files.ts';
import { addQuery } from '#cli/query.ts';
import { addViews } from '#cli/views.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { someOf } from '../support/some-of.ts';
import { cli, cliHere, cliProcess } from './support.ts';

/** A command for each option that names a file. */
const COMMANDS: readonly (readonly [flag: string, command: string])[] = [
  ['--out', 'report'],
  ['--xlsx', 'report'],
  ['--out', 'views'],
  ['--log-file', 'status'],
  ['--secrets', 'check'],
];

async function place() {
  const folder = await temporaryFolder();
  const at = (...names: string[]) => join(folder.path, ...names);
  for (const name of ['state', 'raw']) await mkdir(at('lake', name), { recursive: true });
  await writeFile(at('config.json'), '{}');
  await writeFile(at('secrets.json'), '{}', { mode: 0o600 });
  await writeFile(at('lake', 'state', 'head.json'), '{}');
  await writeFile(at('lake', 'lake.duckdb'), '');
  await symlink(at('config.json'), at('linked.json'));
  await link(at('config.json'), at('hard.json'));
  await symlink(at('lake'), at('other'));
  execFileSync('mkfifo', [at('pipe')]);
  const given = ['--config', at('config.json'), '--lake', at('lake')];
  const ask = (command: string, ...more: string[]) => cliHere(command, ...given, ...more);
  return { at, ask, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe.runIf(process.platform !== 'win32').each(COMMANDS)('%s of %s', (flag, command) => {
  it.each([
    ['the config', ['config.json'], 'is the config'],
    ['a link to the config', ['linked.json'], 'is the config'],
    ['a second name of the config', ['hard.json'], 'is the config'],
    ['the head', ['lake', 'state', 'head.json'], 'is a file of the lake'],
    ['the database', ['lake', 'lake.duckdb'], 'is a file of the lake'],
    ['a new file among the raw answers', ['lake', 'raw', 'new.json'], 'is a file of the lake'],
    ['the head by a link to the lake', ['other', 'state', 'head.json'], 'is a file of the lake'],
    ['a FIFO', ['pipe'], 'is a FIFO'],
  ])('refuses %s, and leaves it as it is', async (_, names, why) => {
    await using there = await place();
    const file = there.at(...names);
    const { status, stderr } = await there.ask(command, flag, file);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(why) });
    expect(stderr).toMatch(/^FILE_REFUSED: .*name /);
    for (const each of ['config.json', join('lake', 'state', 'head.json')])
      expect(await readFile(there.at(each), 'utf8')).toBe('{}');
    expect(existsSync(there.at('lake', 'raw', 'new.json'))).toBe(false);
  });

  it('refuses a device', async () => {
    await using there = await place();
    expect(await there.ask(command, flag, '/dev/null')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^FILE_REFUSED: .*is a device/),
    });
  });

  it('takes a file beside the config', async () => {
    await using there = await place();
    const { stderr } = await there.ask(command, flag, there.at('other.json'));
    expect(stderr).not.toContain('FILE_REFUSED');
  });
});

it.runIf(process.platform !== 'win32')('a page is not put over a second name of the head', async () => {
  await using there = await place();
  await link(there.at('lake', 'state', 'head.json'), there.at('page.html'));
  expect(await there.ask('report', '--out', there.at('page.html'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('has a second name (a hard link)'),
  });
  expect(await readFile(there.at('lake', 'state', 'head.json'), 'utf8')).toBe('{}');
});

it.runIf(process.platform !== 'win32')('a page and a log are not put over the secrets', async () => {
  await using there = await place();
  const file = there.at('secrets.json');
  for (const [flag, command] of someOf(COMMANDS.filter(([each]) => each !== '--secrets'))) {
    expect(await there.ask(command, '--secrets', file, flag, file)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is the secrets file'),
    });
  }
  expect(await readFile(file, 'utf8')).toBe('{}');
});

it.runIf(process.platform === 'linux')(
  'views puts no file in the place of a device, or of a folder',
  async () => {
    await using lab = await signageViewLab();
    await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
    await using place = await temporaryFolder();
    const folder = place.path;
    // A link: were it replaced, the device itself stays.
    const device = join(folder, 'null');
    await symlink('/dev/null', device);
    const views = (out: string) => cli(addViews, 'views', '--lake', lab.lake.name, '--out', out);
    await expect(views(device)).rejects.toThrow(`--out ${device} is a device and no file`);
    expect((await stat(device)).isCharacterDevice()).toBe(true);
    await expect(views(folder)).rejects.toThrow('it is a folder');
  },
);

it('query is told two formats by mistake alone', async () => {
  await expect(cli(addQuery, 'query', 'players', '--json', '--format', 'csv')).rejects.toThrow(
    '--json means --format json: leave out --json or --format csv.',
  );
});

it('help of a command that is none names the one that was meant', () => {
  const { status, stderr } = cliProcess('help', 'qurey');
  expect([status, stderr.includes('Usage:')]).toEqual([2, false]);
  expect(stderr).toContain("error: unknown command 'qurey'\n(Did you mean query?)");
});

it.each([
  ['ENOENT', 'in a folder that exists'],
  ['ENOSPC', 'free some space'],
  ['EROFS', 'this user may not write there'],
  ['EISDIR', 'it is a folder'],
])('what the system says of a file tells the cure: %s', (code, cure) => {
  const error = notWritten('out.html', 'REPORT_NOT_WRITTEN', Object.assign(new Error(), { code }));
  expect(error.message).toContain(`out.html cannot be written (${code}): `);
  expect(error.message).toContain(cure);
});
