import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { type Check, checkSources, checkStatus } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { fragmentsOf } from '#cli/proposals.ts';
import { addReport } from '#cli/report.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Schema } from '#lib/schema/schema.ts';
import { FIXTURE_SECRETS } from '../queries/clocked-lake.ts';
import { exportLab, labFile, labSecrets, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type FixtureLab, fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { labServices } from '../support/lab-services.ts';
import { placesOf, saidBy } from './support.ts';

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
  await using services = labServices({ lake: folderLake(lab.folder) }, FIXTURE_SECRETS);
  return await checkSources(lab.written, services, known);
}

describe('a backup listing whose path is missing is asked for where it may be', () => {
  it('exactly the settings that answered are to be written, those of the slots too', async () => {
    await using lab = await exportLab({ players: 3, profile: 'backup-2023' });
    await using services = labServices({ lake: folderLake(lab.folder) }, labSecrets(lab.simulator));
    const { listings, proposals } = await checkSources(lab.written, services);
    expect(fragmentsOf(proposals)).toEqual({ vault: { product: 'backups', versions: { slots: 1 } } });
    const silent = listings.flatMap(({ ok, resource }) => (ok ? [] : [resource]));
    expect(silent).toEqual(['backup_pricing', 'backup_storages', 'backup_slots']);
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

it('a tree is noted in words, no failure, and its lists can be queried as docs/read/tables.md says', async () => {
  const group = (Id: number, Children: object[]) => ({ Id, Name: `g${Id}`, Tags: [{ t: 1 }], Children });
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

it.each([
  ['NaN', Array.from({ length: 11 }, () => '20.5')],
  ['-Infinity', Array.from({ length: 11 }, () => '20.5')],
  ['NaN', ['21.5']],
  ['NaN', ['NaN', 'Infinity']],
])('%s as a number next to %j is none of the words of a column', async (none, others) => {
  const players = [none, ...others].map((heat, index) => `{"Id":${index + 1},"Heat":${heat}}`);
  await using lab = await fixtureLab({ [`${SIGNAGE}/Players`]: { body: `[${players}]` } });
  const { listings } = await check(lab);
  expect(listings.find(({ resource }) => resource === 'players')).toMatchObject({ ok: true });
});

it('a player that is gone since it was listed fails no listing', async () => {
  await using lab = await fixtureLab({
    [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2},{"Id":3}]' },
    [`${SIGNAGE}/Players/2/Screens`]: { status: 404, body: '{}' },
  });
  const { listings, proposals } = await check(lab);
  expect(proposals).toEqual([]);
  const due = { ok: true, outcome: 'gone', asked: 3, answered: 2 };
  expect(listings.find(({ resource }) => resource === 'screens')).toMatchObject(due);
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

it('check is polite: one plain source takes a first call and three more for each listing, and the children of five players', async () => {
  await using lab = await exportLab({ players: 47, recordsRequests: true }, SIGNAGE_ALONE);
  await using services = localApiServices(localServices(lab.lake), labSecrets(lab.simulator));
  const check = await checkSources(lab.written, services);
  const paths = lab.simulator.stats.requestPaths;
  expect(check.calls).toBe(paths.length);
  expect(check.calls).toBeLessThanOrEqual(25);
  for (const child of ['Screens', 'PendingFileTransfers'])
    expect(paths.filter((path) => path.includes(child)).length).toBeLessThanOrEqual(10);
  expect(new Set(paths).size).toBe(paths.length);
  const counts = check.listings.map(({ resource, calls }) => [resource, calls]);
  expect(Object.fromEntries(counts)).toMatchObject({ screens: 5, pending_file_transfers: 5 });
});

const idle = (said: string) => said.split('\n').filter((line) => line.includes('holds for nobody'));
const settings = (targets: object) => ({ ...SIGNAGE_ALONE, config: { groups: ['City'], targets } });

it('report and check name a target of a group that does not exist, and the groups that do, the nearest first', async () => {
  await using lab = await exportLab({ players: 12 }, settings({ 'city=Genf': 0.9, Köln: 0.9, '*': 0.5 }));
  await lab.run('2026-11-20T03:00:00Z');
  const out = join(lab.folder, 'page.html');
  const report = await saidBy(addReport, 'report', '--lake', lab.lake.name, '--out', out);
  const line =
    "The target city=Genf holds for nobody: no player is in such a group. There are: city=Köln, city=København K, city=L'Aquila, city=Zürich, city=Genève and 1 more.";
  expect(idle(report)).toEqual([line]);
  expect(await readFile(out, 'utf8')).toContain('The target {target} holds for nobody');
  // Check knows the targets of the config, which no run has had so far.
  const written = labFile(lab.simulator.url, settings({ 'City=Geneve': 0.9, Genève: 0.8, leipzg: 0.7 }));
  const check = await saidBy(addCheck, 'check', ...(await placesOf({ ...lab, written })));
  expect(idle(check).map((each) => each.trim().replace(/, city=\S+ K.*/, ', …'))).toEqual([
    'The target City=Geneve holds for nobody: no player is in such a group. There are: city=Genève, city=Köln, …',
    'The target leipzg holds for nobody: no player is in such a group. There are: city=Leipzig, city=Köln, …',
  ]);
});

it('a fleet without players or storages is complete, as its run is: their children need no call', async () => {
  await using lab = await fixtureLab({});
  const { listings } = await check(lab);
  expect(listings.filter(({ ok }) => !ok).map(({ resource }) => resource)).toEqual([]);
  expect(checkStatus(listings)).toBe('complete');
});

it('children of players without an id, or of players that did not answer, are not as expected', async () => {
  for (const body of ['[{"State":1},{"State":1}]', '"x"']) {
    await using lab = await fixtureLab({ [`${SIGNAGE}/Players`]: { body } });
    const { listings } = await check(lab);
    const failed = listings.filter(({ ok }) => !ok).map(({ resource }) => resource);
    expect(failed).toEqual(expect.arrayContaining(['screens', 'pending_file_transfers']));
    expect(checkStatus(listings)).toBe('failed');
  }
});
