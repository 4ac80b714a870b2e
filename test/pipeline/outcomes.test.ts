import { expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { runStages } from '#cli/run-locally.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { exportLab, labSecrets } from '../support/export-lab.ts';

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

it('players that were not asked, because the key was refused meanwhile, count no call', async () => {
  await using lab = await exportLab({ players: 21 }, { signage: { concurrency: 1 } });
  await lab.simulator.setFaults('denied-all@from=30');
  await lab.run(DAY, { ...atOnce, sources: ['berlin'] });
  const ends = await lab.rows(
    "select distinct http_status, attempts > 0 as is_called from outcomes where error_code = 'SOURCE_UNAUTHORIZED' order by all",
  );
  expect(ends).toEqual([
    { http_status: 401, is_called: true },
    { http_status: null, is_called: false },
  ]);
});

it('a few players that are gone are no sign of a path that changed', async () => {
  await using lab = await exportLab({ players: 60, seed: 3 });
  await lab.simulator.setFaults('gone:0.05@resource=screens');
  const { status } = await lab.run(DAY, atOnce);
  expect(status).toBe('complete');
  const messages = await lab.rows("select distinct message from outcomes where outcome = 'gone'");
  expect(messages).toEqual([
    { message: 'The server does not know it (HTTP 404): it was removed after it was listed.' },
  ]);
});

it('the duration of a repair is its own', async () => {
  await using lab = await exportLab({ players: 11, seed: 5 });
  await lab.simulator.setFaults('500:1@resource=screens');
  await lab.run(DAY, atOnce);
  await lab.simulator.setFaults('');
  const hourLater = () => new Date(Date.now() + 3_600_000);
  const local = { ...localServices(lab.lake), now: hourLater };
  await using api = localApiServices(local, labSecrets(lab.simulator), atOnce.random);
  const { input } = await startRepair(undefined, { ...api, ...LOCAL_HOLDER, config: lab.config });
  if (input === undefined) throw new Error('there is nothing to repair');
  const { status, durationSeconds } = await runStages(input, api);
  expect(status).toBe('complete');
  expect(durationSeconds).toBeLessThan(600);
});
