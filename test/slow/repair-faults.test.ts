import { afterEach, describe, expect, it } from 'vitest';
import { localApiServices, localServices } from '#cli/local-services.ts';
import { LOCAL_HOLDER, runStages } from '#cli/run-locally.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { contentHash } from '../../scripts/content-hash.ts';
import { type ExportLab, exportLab, labSecrets } from '../support/export-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';
const RUN_1 = '20261120T030000Z';
const RUN_2 = '20261121T030000Z';
const atOnce = { random: () => 0 };

const labs: ExportLab[] = [];
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab[Symbol.asyncDispose]();
});

/** Two days exported; the second under the faults. */
async function twoDays(faults = ''): Promise<ExportLab> {
  const lab = await exportLab({ players: 30, seed: 5 });
  labs.push(lab);
  await lab.run(DAY_1);
  lab.simulator.day = 1;
  await lab.simulator.setFaults(faults);
  await lab.run(DAY_2, atOnce);
  await lab.simulator.setFaults('');
  return lab;
}

async function repair(lab: ExportLab, runId?: string) {
  await using api = localApiServices(localServices(lab.lake), labSecrets(lab.simulator), () => 0);
  const { input } = await startRepair(runId, { ...api, ...LOCAL_HOLDER, config: lab.config });
  return input === undefined ? undefined : await runStages(input, api);
}

const services = (lab: ExportLab) => ({ ...localServices(lab.lake), ...LOCAL_HOLDER, config: lab.config });

describe('repair', () => {
  it.each([['some players were denied', 'denied:0.2']])(
    'after %s gives the tables of a run that never failed',
    { timeout: 120_000 },
    async (_, faults) => {
      const lab = await twoDays(faults);
      const undisturbed = await contentHash((await twoDays()).lake);
      expect(await contentHash(lab.lake)).not.toEqual(undisturbed);
      expect((await repair(lab))?.status).toBe('complete');
      expect(await contentHash(lab.lake)).toEqual(undisturbed);
      expect(await repair(lab)).toBeUndefined();
    },
  );
});

describe('rebuild', () => {
  it.each(['2026-11-20'])('from %s makes the same tables from raw', { timeout: 120_000 }, async (from) => {
    const lab = await twoDays('denied:0.1,gone:0.1');
    const before = await contentHash(lab.lake);
    lab.simulator.stats.reset();
    await rebuild(from, services(lab));
    expect(await contentHash(lab.lake)).toEqual(before);
    expect(lab.simulator.stats.requests).toBe(0);
  });
});

describe('rollback', () => {
  it('gives the tables as the run left them, and back again', { timeout: 120_000 }, async () => {
    const lab = await twoDays();
    const two = await contentHash(lab.lake);
    await rollback(RUN_1, services(lab));
    const one = await contentHash(lab.lake);
    expect(await lab.rows('select distinct export_date from screens_daily')).toEqual([
      { export_date: '2026-11-20' },
    ]);
    await rollback(RUN_2, services(lab));
    expect(await contentHash(lab.lake)).toEqual(two);
    await rollback(RUN_1, services(lab));
    expect(await contentHash(lab.lake)).toEqual(one);
    await lab.run(DAY_2);
    expect(await contentHash(lab.lake)).toEqual(two);
    await expect(rollback('20261101T030000Z', services(lab))).rejects.toThrow('no commit of it');
  });
});
