import { lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeProposals } from '#cli/proposals.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { labFile, labSettings } from '../support/export-lab.ts';
import { fixtureLab, routesBy, SIGNAGE } from '../support/fixture-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { checkWrite } from './support.ts';

describe('check --write', () => {
  it('changes only what it says, and says why and what it replaced', async () => {
    const settings = { backup: { product: 'backup', versions: { slots: 0 } } };
    const gone = { status: 404, body: '{}' };
    await using lab = await fixtureLab(
      {
        '/1/backup': gone,
        '/1/backup/pricing': gone,
        '/1/backups': { body: '[{"Id":7}]' },
        '/1/backups/pricing': { body: '[{"Id":1,"Price":2}]' },
        '/0/backups/7/slot': { body: '[]' },
        [`${SIGNAGE}/Licenses`]: { body: '{"response":{"clients":[{"Id":1}],"offline":[]}}' },
      },
      settings,
    );
    const text = JSON.stringify(labSettings(lab.server.url, settings), null, '\t').replace(/\n/g, '\r\n');
    await writeFile(join(lab.folder, 'config.json'), text, { mode: 0o640 });
    const { said, file, written } = await checkWrite({ ...lab, written: { text } });
    const product = 'sources[1].product: "backups", in place of "backup"';
    const items =
      'sources[0].resources.licenses.items: "response.clients"\n    because: The answer has no list';
    for (const line of [product, items]) expect(said).toContain(line);
    expect(JSON.parse(written)).toEqual(
      labSettings(lab.server.url, {
        signage: { resources: { licenses: { items: 'response.clients' } } },
        backup: { product: 'backups', versions: { slots: 0 } },
      }),
    );
    const lines = new Set(written.split('\r\n'));
    const lost = text.split('\r\n').filter((line) => !lines.has(line));
    expect(lost).toEqual(['\t\t\t"requestsPerSecond": null', '\t\t\t"product": "backup",']);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await readdir(lab.folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
    const config = await readConfig(file);
    expect(config.sources.map(({ name }) => name)).toEqual(['berlin', 'vault']);
  });

  it('writes nothing where only the operator can choose', async () => {
    await using lab = await fixtureLab({
      [`${SIGNAGE}/Licenses`]: { body: '{"data":[{"Id":1}],"items":[{"Id":2}]}' },
      [`${SIGNAGE}/AppGroups`]: { body: '{"data":[{"Id":1}],"hasMore":true}' },
    });
    const { said, file, written } = await checkWrite(lab);
    expect(written).toBe(lab.written.text);
    expect(said).toContain(`Nothing was written into ${file}`);
    expect(said).toContain('sources[0].resources.licenses.items: "data" or "items"');
    expect(said).toContain('sources[0].resources.app_groups.paging: "none", if one answer has all records');
  });

  it('writes no parameter by which no further page came, where a server takes an unknown one for a filter', async () => {
    const page = { body: '{"data":[{"Id":1},{"Id":2}],"nextThing":"b"}' };
    const licenses = `${SIGNAGE}/Licenses`;
    const answerAt = (path: string) =>
      path === licenses ? page : path.startsWith(`${licenses}?`) ? { body: '{"data":[]}' } : undefined;
    await using lab = await fixtureLab(routesBy(answerAt));
    const { said, written } = await checkWrite(lab);
    expect(written).toBe(lab.written.text);
    expect(said).toContain('sources[0].resources.licenses.paging');
  });

  it('takes back what does not help, and keeps what leads to the next question', async () => {
    await using lab = await fixtureLab({
      [`${SIGNAGE}/Licenses`]: { body: '{"response":{"clients":[{"Id":1}],"offline":[],"hasMore":true}}' },
      [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2}]' },
      [`${SIGNAGE}/Players/1/Screens`]: { body: '{"a":{"Id":1}}' },
      [`${SIGNAGE}/Players/2/Screens`]: { body: '{"x":1}' },
    });
    const { settings, written, questions } = JSON.parse((await checkWrite(lab, '--json')).said);
    expect(settings).toEqual({ berlin: { resources: { licenses: { items: 'response.clients' } } } });
    expect(written.map(({ field }: { field: string }) => field)).toEqual([
      'sources[0].resources.licenses.items',
    ]);
    expect(
      questions.map(({ code, resource }: { code: string; resource: string }) => [code, resource]),
    ).toEqual([
      ['PAGING_UNPROVEN', 'licenses'],
      ['ENVELOPE_UNKNOWN', 'screens'],
      ['ENVELOPE_UNKNOWN', 'screens'],
    ]);
  });
});

describe('the config on the disk', () => {
  const proposals = [
    { source: 'berlin', resource: 'players', setting: 'resources.players.items', value: 'data', why: 'so' },
  ] as const;

  it('that was changed meanwhile stays as it is', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.config.json');
    const { text } = labFile('https://signage.example.com');
    await writeFile(file, `${text}\n`);
    await expect(writeProposals({ file, text }, proposals)).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
    expect(await readFile(file, 'utf8')).toBe(`${text}\n`);
  });

  it('that is a link stays one, and what it leads to is written', async () => {
    await using folder = await temporaryFolder();
    const real = join(folder.path, 'real.json');
    const { text } = labFile('https://signage.example.com');
    await writeFile(real, text);
    const file = join(folder.path, 'export.config.json');
    await symlink('real.json', file);
    const [change] = await writeProposals({ file, text }, proposals);
    expect(change).toMatchObject({ field: 'sources[0].resources.players.items', value: 'data', why: 'so' });
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    const config = await readConfig(real);
    expect(config.sources[0]?.resources.players?.items).toBe('data');
  });
});
