import { stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { notWritten } from '#cli/named-files.ts';
import { addQuery } from '#cli/query.ts';
import { addViews } from '#cli/views.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { cli, cliProcess } from './support.ts';

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
