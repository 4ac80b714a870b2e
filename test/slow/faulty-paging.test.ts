import { expect, it } from 'vitest';
import { exportDays, timeOf } from '../dialects/support/export-days.ts';
import { exportLab } from '../support/export-lab.ts';

const RIGHT = { players: 40, pageSize: 8, seed: 3 };

it.each([
  ['paging-ignored', 'PAGING_UNPROVEN', 'players', 2],
  // Its second call asks for the first page by its number, which proves the parameter.
  ['total-wrong', 'TOTAL_MISMATCH', 'players', 7],
  ['repeats-forever', 'PAGING_LOOP', 'players', 6],
  ['silent-cap', 'PAGING_UNPROVEN', 'players', 2],
])('%s ends with %s, and none of its pages is published', async (profile, code, resource, pages) => {
  await using lab = await exportLab({ ...RIGHT, profile, recordPaths: true });
  const { status, sources } = await lab.run(timeOf(0));
  expect(status).toBe('failed');
  expect(sources[0]?.error).toMatchObject({
    code,
    message: expect.stringContaining(`resources.${resource}.paging`),
  });
  const ends = await lab.rows(
    'select resource, outcome, error_code, rows from outcomes where parent_id is null',
  );
  for (const end of ends.filter(({ outcome }) => outcome === 'failed')) {
    expect(end).toMatchObject({ error_code: code });
    expect(await lab.rows(`select count(*) n from ${end.resource}`)).toEqual([{ n: 0 }]);
  }
  expect(ends.filter(({ outcome }) => outcome === 'failed').map((end) => end.resource)).toContain(resource);
  // A failure that may pass is tried again, whole.
  const asked = lab.simulator.stats.requestPaths.filter(
    (path) => path.includes('/Players?') || path.endsWith('/Players'),
  );
  expect(asked.length).toBeLessThanOrEqual(pages * 3);
});

it('what was committed stays where the paging turns faulty', async () => {
  await using exported = await exportDays({ profile: 'limit-skip', days: [0], world: RIGHT });
  const { lab } = exported;
  const before = await lab.rows('select player_id, name from players order by all');
  const faulty = await exportLab({ ...RIGHT, profile: 'silent-cap' });
  const sources = lab.config.sources.map((source) => ({ ...source, baseUrl: faulty.simulator.url }));
  const { sources: ended } = await lab.run(timeOf(1), { config: { ...lab.config, sources } });
  await faulty[Symbol.asyncDispose]();
  expect(ended[0]).toMatchObject({ status: 'failed', error: { code: 'PAGING_LOOP' } });
  expect(await lab.rows('select player_id, name from players order by all')).toEqual(before);
  expect(await lab.rows("select * from changes where change = 'removed'")).toEqual([]);
});
