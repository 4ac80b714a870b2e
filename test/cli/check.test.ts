import { describe, expect, it } from 'vitest';
import { type Check, checkSources, checkStatus } from '#cli/check-sources.ts';
import { fragmentsOf } from '#cli/proposals.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { EMPTY_SCHEMA, type Schema, type SchemaColumn } from '#lib/schema/schema.ts';
import { exportLab, labSecrets } from '../support/export-lab.ts';
import { type FixtureLab, fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { labServices } from '../support/lab-services.ts';

it('check that breaks off has ended whatever writes into its lake, which is removed then', async () => {
  await using lab = await exportLab({ players: 21, latencyMs: 150 });
  await using services = labServices({ lake: lab.lake }, labSecrets(lab.simulator));
  const breaking: typeof services.client = (source, place) => {
    if (source.name === 'berlin') throw new Error('no client');
    return services.client(source, place);
  };
  await expect(checkSources(lab.written, { ...services, client: breaking })).rejects.toThrow('no client');
  const { requests } = lab.simulator.stats;
  expect(requests).toBeGreaterThan(2);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(lab.simulator.stats.requests).toBe(requests);
});

async function check(lab: Pick<FixtureLab, 'written' | 'folder'>, known?: Schema): Promise<Check> {
  const secrets = {
    read: async (name: string) =>
      name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' },
  };
  await using services = labServices({ lake: folderLake(lab.folder) }, secrets);
  return await checkSources(lab.written, services, known);
}

describe('a backup listing whose path is missing is asked for where it may be', () => {
  it('exactly the settings that answered are to be written, those of the slots too', async () => {
    await using lab = await exportLab({ players: 3, profile: 'backup-2023' });
    await using services = labServices({ lake: folderLake(lab.folder) }, labSecrets(lab.simulator));
    const { listings, proposals } = await checkSources(lab.written, services);
    expect(fragmentsOf(proposals)).toEqual({ vault: { product: 'backups', versions: { slots: 1 } } });
    expect(listings.flatMap(({ ok, resource }) => (ok ? [] : [resource]))).toEqual([
      'backup_pricing',
      'backup_storages',
      'backup_slots',
    ]);
  });

  it('a listing alone elsewhere gets a path of its own, for the product is that of all', async () => {
    const gone = { status: 410, body: '{}' };
    const routes = { '/1/backup/7/slot': { body: '[]' }, '/0/backup/7/slot': gone };
    await using lab = await fixtureLab({
      ...routes,
      '/1/backup': { body: '[{"Id":7}]' },
      '/1/backup/pricing': { status: 405, body: '{}' },
      '/1/backups/pricing': { body: '[{"Id":1,"Price":2}]' },
    });
    expect(fragmentsOf((await check(lab)).proposals)).toEqual({
      vault: { resources: { backup_pricing: { path: '/1/backups/pricing' } }, versions: { slots: 1 } },
    });
  });
});

describe('maps of one entry', () => {
  const record = (Id: number) => ({ Id, Name: 'n' });
  const players = [1, 2, 3].map(record);
  const children = (listing: string, ...answers: readonly object[]) =>
    Object.fromEntries(
      answers.map((answer, index) => [
        `${SIGNAGE}/Players/${index + 1}/${listing}`,
        { body: JSON.stringify(answer) },
      ]),
    );

  it('where none answers, all choices are named', async () => {
    const gone = { status: 404, body: '{}' };
    await using lab = await fixtureLab({ '/1/backup': gone, '/1/backup/pricing': gone });
    const { proposals, questions } = await check(lab);
    expect(proposals).toEqual([]);
    const open = 'what the server has';
    const product = { setting: 'product', choices: ['backup', 'backups'], open };
    const base = { setting: 'basePath', choices: [], open: 'where the API begins' };
    const cures = (resource: string, name: string) => [
      base,
      { setting: `versions.${name}`, choices: [0, 1], open },
      product,
      { setting: `resources.${resource}.path`, choices: [], open: 'where the listing is' },
    ];
    expect(questions.map(({ source, resource, cures }) => [source, resource, cures])).toEqual([
      ['vault', 'backup_pricing', cures('backup_pricing', 'pricing')],
      ['vault', 'backup_storages', cures('backup_storages', 'storages')],
    ]);
    const asked = lab.server.requests
      .map(({ path }) => path.split('?')[0])
      .filter((path) => path?.endsWith('pricing'));
    expect(asked.sort()).toEqual([
      '/0/backup/pricing',
      '/0/backups/pricing',
      '/1/backup/pricing',
      '/1/backups/pricing',
    ]);
  });

  it('are a question of no listing where another answer of the sample proves one, as in a run', async () => {
    await using lab = await fixtureLab({
      [`${SIGNAGE}/Players`]: { body: JSON.stringify(players) },
      ...children('PendingFileTransfers', { a: record(1) }, { b: record(2), c: record(3) }, {}),
    });
    const { listings, proposals, questions } = await check(lab);
    expect([...proposals, ...questions]).toEqual([]);
    expect(listings.filter(({ ok, source }) => source === 'berlin' && !ok)).toEqual([]);
    expect(listings.find(({ resource }) => resource === 'pending_file_transfers')).toMatchObject({
      asked: 3,
      answered: 3,
      records: 3,
      envelope: '{}',
    });
  });

  it('else each listing is asked about with its own setting, which is not written: one member may be a wrapper', async () => {
    await using lab = await fixtureLab({
      [`${SIGNAGE}/Players`]: { body: JSON.stringify(players) },
      ...children('PendingFileTransfers', { a: record(1) }),
      ...children('Screens', { b: record(2) }),
    });
    const { proposals, questions } = await check(lab);
    expect(proposals).toEqual([]);
    expect(questions.map(({ cures: [first] }) => first)).toMatchObject([
      { setting: 'resources.screens.items', choices: ['{}'] },
      { setting: 'resources.pending_file_transfers.items', choices: ['{}'] },
    ]);
  });
});

it('a tree is noted in words, no failure, and its lists can be queried as docs/read/tables.md says', async () => {
  const group = (Id: number, Children: readonly object[]) => ({
    Id,
    Name: `g${Id}`,
    Tags: [{ t: 1 }],
    Children,
  });
  const tree = [group(1, [group(2, []), group(3, [group(4, [])])]), group(5, [group(6, [])]), group(7, [])];
  await using lab = await fixtureLab({ [`${SIGNAGE}/AppGroups`]: { body: JSON.stringify(tree) } });
  const { listings } = await check(lab);
  expect(listings.flatMap(({ notes }) => notes)).toMatchObject([
    {
      resource: 'app_groups',
      says: 'children holds 2 lists of records like those of app_groups itself (3 in all, and what is below them), which become no rows but stay in that column as JSON text: docs/read/tables.md says how to query it',
    },
  ]);
  expect(listings.find(({ resource }) => resource === 'app_groups')).toMatchObject({ ok: true, records: 3 });
  await lab.run('2026-11-20T03:00:00Z');
  const query = `select child ->> 'Name' as name from app_groups, unnest(from_json(children, '["json"]')) as t(child) order by 1`;
  expect(await lab.rows(query)).toEqual([{ name: 'g2' }, { name: 'g3' }, { name: 'g6' }]);
});

it('a player that is gone since it was listed fails no listing', async () => {
  await using lab = await fixtureLab({
    [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2},{"Id":3}]' },
    [`${SIGNAGE}/Players/2/Screens`]: { status: 404, body: '{}' },
  });
  const { listings, proposals } = await check(lab);
  expect(proposals).toEqual([]);
  expect(listings.find(({ resource }) => resource === 'screens')).toMatchObject({
    ok: true,
    outcome: 'gone',
    asked: 3,
    answered: 2,
  });
});

it('a column of the lake that is still empty is proposed to be called gone, and one that has values is not', async () => {
  const emptied = (name: string, path: string): SchemaColumn => ({
    name,
    type: 'timestamp',
    provisional: false,
    paths: [
      {
        source: 'berlin',
        path: [path],
        isDropped: false,
        nullShare: 1,
        filled: {
          records: 12,
          values: 0,
          emptied: { since: '20261121T030000Z', date: '2026-11-21', records: 12, values: 12 },
        },
      },
    ],
    readings: {},
    masked: [],
    firstSeen: '20261120T030000Z',
    lastSeen: '20261121T030000Z',
    since: '20261120T030000Z',
    questions: [],
    drift: [],
    rejects: {},
  });
  const known: Schema = {
    ...EMPTY_SCHEMA,
    tables: {
      players: {
        columns: [emptied('last_access', 'LastAccess'), emptied('created', 'Created')],
        keys: {},
        flattened: [],
        unflattened: [],
        duplicates: [],
        questions: [],
      },
    },
  };
  await using lab = await fixtureLab({
    [`${SIGNAGE}/Players`]: { body: '[{"Id":1,"Created":"2026-11-20T02:00:00Z"}]' },
  });
  const { proposals, questions } = await check(lab, known);
  expect(fragmentsOf(proposals)).toMatchObject({
    berlin: { resources: { players: { columns: { last_access: { gone: true } } } } },
  });
  expect(JSON.stringify(proposals)).not.toContain('created');
  expect(questions.filter(({ code }) => code === 'COLUMN_EMPTIED')).toEqual([]);
});

it('a setting that hardly a value has is an error, with how they are written and what fits', async () => {
  await using lab = await fixtureLab(
    { [`${SIGNAGE}/Players`]: { body: '[{"Id":1,"Mark":1795182047},{"Id":2,"Mark":1795182048}]' } },
    { signage: { resources: { players: { columns: { mark: { format: 'iso' } } } } } },
  );
  const { settled, questions } = await check(lab);
  expect(checkStatus(settled)).toBe('failed');
  expect(questions).toMatchObject([
    {
      code: 'TYPE_MISFIT',
      column: 'mark',
      says: '2 values are not of the type timestamp that the config names, such as 9999999999. The cells keep what they have',
      cures: [
        { setting: 'resources.players.columns.mark.format', choices: ['unix-seconds'] },
        { setting: 'resources.players.columns.mark.type', choices: ['varchar'] },
      ],
    },
  ]);
});

it('a time zone that puts the last contacts after the check is an error', async () => {
  const inThreeHours = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 19);
  const records = Array.from({ length: 12 }, (_, id) => ({ Id: id + 1, LastAccess: inThreeHours }));
  await using lab = await fixtureLab(
    { [`${SIGNAGE}/Players`]: { body: JSON.stringify(records) } },
    { signage: { timeZone: 'UTC' } },
  );
  const { settled, questions } = await check(lab);
  expect(checkStatus(settled)).toBe('failed');
  expect(questions).toMatchObject([{ code: 'TIME_ZONE_MISFIT', cures: [{ setting: 'timeZone' }] }]);
});
