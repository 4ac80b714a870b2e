import { describe, expect, it } from 'vitest';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { exportLab, labSecrets, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

/** The calls of a fixture server by the path of their listing, without those that `check` does not make. */
async function callsOf(routes: Routes) {
  await using lab = await signageLab(routes, SIGNAGE_ALONE);
  const secrets = { read: async () => ({ apiKey: 'fixture-key' }) };
  await using services = localApiServices(localServices(folderLake(lab.folder)), secrets);
  const check = await checkSources(lab.written, services);
  const paths = lab.server.requests.map(({ path }) => path.replace(SIGNAGE, ''));
  return { check, paths, of: (path: RegExp) => paths.filter((each) => path.test(each)) };
}

const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `R${index}` }));

describe('check is polite', () => {
  it('one plain source takes a first call and three more for each listing, and the children of five players', async () => {
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

  it('a listing that asks about an unknown member takes five calls besides its page', async () => {
    const { check, of } = await callsOf({
      [`${SIGNAGE}/Players`]: { body: JSON.stringify({ data: records(12), folgeblatt: 'x7f3a9c1e5' }) },
    });
    expect(check.questions.map(({ code, resource }) => [code, resource])).toEqual([
      ['PAGING_UNPROVEN', 'players'],
    ]);
    expect(of(/^\/Players(\?|$)/).length).toBeLessThanOrEqual(6);
  });

  it('looks again with a proposal without a second call', async () => {
    const { check, paths } = await callsOf({
      [`${SIGNAGE}/Licenses`]: {
        body: JSON.stringify({ columns: ['Id'], rows: [[1], [2], [3]] }),
      },
    });
    expect(check.proposals).toMatchObject([{ setting: 'resources.licenses.items', value: 'rows[columns]' }]);
    expect(check.listings.map(({ ok }) => ok)).toContain(false);
    expect(check.settled.filter(({ resource }) => resource === 'licenses')).toMatchObject([
      { ok: true, records: 3 },
    ]);
    expect(new Set(paths).size).toBe(paths.length);
  });
});
