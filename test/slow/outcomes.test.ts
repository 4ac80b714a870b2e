import { expect, it } from 'vitest';
import { type ExportLab, exportLab, labSecrets, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { labServices } from '../support/lab-services.ts';
import { operatorOf, repairOnce } from '../support/runs.ts';

const DAY = '2026-11-20T03:00:00Z';
const atOnce = { random: () => 0 };

it('a source that refuses the key counts the calls that found it out', async () => {
  await using lab = await exportLab({ players: 5 });
  await lab.simulator.setFaults('denied-all');
  const { requests, sources } = await lab.run(DAY, atOnce);
  expect(sources.map(({ error }) => error?.code)).toEqual(['SOURCE_UNAUTHORIZED', 'SOURCE_UNAUTHORIZED']);
  const ends = await lab.rows('select http_status, attempts from outcomes');
  expect(ends.length).toBe(5);
  const called = ends.filter(({ attempts }) => Number(attempts) > 0);
  // One that was not sent yet when another found it out is not called any more.
  expect(called.length).toBeGreaterThanOrEqual(2);
  for (const end of ends) expect(end.http_status).toBe(called.includes(end) ? 401 : null);
  expect(requests).toBe(ends.reduce((sum, { attempts }) => sum + Number(attempts), 0));
});

it.each(['0.5', '1'])('players of whom %s are gone at once keep their screens', async (share) => {
  await using lab = await exportLab({ players: 60, seed: 3 }, SIGNAGE_ALONE);
  await lab.run(DAY, atOnce);
  const before = await lab.flat('select count(*) from screens');
  await lab.simulator.setFaults(`gone:${share}@resource=screens`);
  const { status, sources } = await lab.run('2026-11-21T03:00:00Z', atOnce);
  expect(status).not.toBe('complete');
  const { gone, failed = 0 } = sources[0]?.outcomes ?? {};
  expect([gone, failed > 18, failed === 60]).toEqual([0, true, share === '1']);
  const codes = "select resource, error_code, count(*) from outcomes where outcome = 'failed' group by all";
  expect(await lab.flat(codes)).toEqual(['screens', 'RESOURCE_MISSING', failed]);
  expect(await lab.flat('select count(*) from screens')).toEqual(before);
});

it('a repair asks again for listings that were denied, and a denial outlives a failure of its repair', async () => {
  await using lab = await exportLab({ players: 5, seed: 5 });
  await lab.simulator.setFaults('denied:1@resource=licenses,denied:1@resource=screens');
  expect((await lab.run(DAY, atOnce)).status).toBe('partial');
  const counts = "select resource, outcome, count(*) from outcomes where resource in ('licenses', 'screens')";
  const ends = () => lab.flat(`${counts} group by all order by all`);
  const denied = ['screens', 'denied', 5];
  expect(await ends()).toEqual(['licenses', 'denied', 1, ...denied]);
  await lab.simulator.setFaults('500:1@resource=screens');
  await repair(lab);
  expect(await ends()).toEqual(['licenses', 'ok', 1, ...denied]);
  await lab.simulator.setFaults('');
  expect(await repair(lab)).toMatchObject({ status: 'complete' });
});

/** Asks again for what the newest run was not answered. */
async function repair(lab: ExportLab, now = () => new Date()) {
  await using api = labServices({ lake: lab.lake, now }, labSecrets(lab.simulator), atOnce.random);
  return (await repairOnce(operatorOf(lab, api))) ?? expect.fail();
}
