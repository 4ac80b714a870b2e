import { afterEach, describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { runStages } from '#cli/run-locally.ts';
import { readHead } from '#lib/lake/head.ts';
import { parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { listKeys } from '#lib/lake/list-keys.ts';
import { purge } from '#lib/repair/purge.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { runIdAt } from '#lib/run-id.ts';
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
async function twoDays(faults = '', lakeOf = (lake: Lake) => lake): Promise<ExportLab> {
  const lab = await exportLab({ players: 60, seed: 5 });
  labs.push(lab);
  const lake = lakeOf(lab.lake);
  await lab.run(DAY_1, { lake });
  lab.simulator.day = 1;
  await lab.simulator.setFaults(faults);
  await lab.run(DAY_2, { ...atOnce, lake });
  await lab.simulator.setFaults('');
  return lab;
}

/** A lake into which list may not write in the run of that time, as if its role had lost the right. */
function withoutRaw(lake: Lake, day: string): Lake {
  return {
    ...lake,
    moveIn: async (key, path, condition) => {
      const parsed = parseKey(key);
      if (parsed?.kind === 'raw' && parsed.runId === runIdAt(new Date(day))) throw new Error('denied');
      await lake.moveIn(key, path, condition);
    },
  };
}

/** The runs of which raw answers are kept. */
async function rawRuns(lake: Lake): Promise<readonly string[]> {
  const runs = new Set<string>();
  for await (const { runId } of listKeys(lake, 'raw')) runs.add(runId);
  return [...runs];
}

async function removeRaw(lake: Lake, runId: string): Promise<void> {
  for await (const { key } of listKeys(lake, 'raw', { runId })) await lake.remove([key]);
}

async function repair(lab: ExportLab, runId?: string) {
  await using api = localApiServices(localServices(lab.lake), labSecrets(lab.simulator), () => 0);
  const { input } = await startRepair(runId, { ...api, ...LOCAL_HOLDER, config: lab.config });
  return input === undefined ? undefined : await runStages(input, api);
}

const services = (lab: ExportLab) => ({ ...localServices(lab.lake), ...LOCAL_HOLDER, config: lab.config });

describe('repair', () => {
  it.each([
    ['some players were denied', 'denied:0.2'],
    ['the server was down from the middle on', 'down@from=60'],
    ['the players listing failed', '500:1@resource=players'],
    ['one resource was missing', 'gone:1@resource=screens'],
    ['the key was refused', 'denied-all'],
  ])('after %s gives the tables of a run that never failed', { timeout: 300_000 }, async (_, faults) => {
    const lab = await twoDays(faults);
    const undisturbed = await contentHash((await twoDays()).lake);
    expect(await contentHash(lab.lake)).not.toEqual(undisturbed);
    expect((await repair(lab))?.status).toBe('complete');
    expect(await contentHash(lab.lake)).toEqual(undisturbed);
    expect(await repair(lab)).toBeUndefined();
  });

  it('asks only for what was denied or failed, and refuses an older run', { timeout: 300_000 }, async () => {
    const lab = await twoDays('denied:0.2');
    const [lacking] = await lab.rows("select count(*) n from outcomes where outcome = 'denied'");
    lab.simulator.stats.reset();
    await repair(lab, RUN_2);
    expect(lab.simulator.stats.requests).toBe(lacking?.n);
    await expect(repair(lab, RUN_1)).rejects.toThrow('a newer run has covered it');
  });
});

describe('rebuild', () => {
  it.each(['2026-11-20', '2026-11-21'])(
    'from %s makes the same tables from raw',
    { timeout: 300_000 },
    async (from) => {
      const lab = await twoDays('denied:0.1,gone:0.1');
      const before = await contentHash(lab.lake);
      lab.simulator.stats.reset();
      await rebuild(from, services(lab));
      expect(await contentHash(lab.lake)).toEqual(before);
      expect(lab.simulator.stats.requests).toBe(0);
    },
  );

  it.each([
    ['the first', DAY_1, [RUN_2]],
    ['the second', DAY_2, [RUN_1]],
  ])(
    'makes %s run again that stored no answer, and leaves it to repair',
    { timeout: 300_000 },
    async (_, day, stored) => {
      const lab = await twoDays('', (lake) => withoutRaw(lake, day));
      expect(await rawRuns(lab.lake)).toEqual(stored);
      const before = await contentHash(lab.lake);
      await rebuild('2026-11-20', services(lab));
      expect(await contentHash(lab.lake)).toEqual(before);
      expect((await repair(lab))?.status).toBe(day === DAY_2 ? 'complete' : undefined);
      if (day === DAY_2)
        expect(await contentHash(lab.lake)).toEqual(await contentHash((await twoDays()).lake));
    },
  );

  it('begins with a date whose first run stored no answer, and status says so', {
    timeout: 300_000,
  }, async () => {
    const lab = await twoDays('', (lake) => withoutRaw(lake, DAY_2));
    await lab.run('2026-11-21T09:00:00Z', atOnce);
    await removeRaw(lab.lake, RUN_1);
    const head = (await readHead(lab.lake))?.head;
    if (head === undefined) throw new Error('nothing is committed');
    expect((await wayBack(head, services(lab))).rebuildFrom).toBe('2026-11-21');
    const before = await contentHash(lab.lake);
    await rebuild('2026-11-21', services(lab));
    expect(await contentHash(lab.lake)).toEqual(before);
  });

  it('makes a run again whose only source was purged since', { timeout: 300_000 }, async () => {
    const lab = await twoDays();
    lab.simulator.day = 2;
    await lab.run('2026-11-22T03:00:00Z', { ...atOnce, sources: ['vault'] });
    await purge('vault', services(lab));
    expect(await rawRuns(lab.lake)).toEqual([RUN_1, RUN_2]);
    const before = await contentHash(lab.lake);
    await rebuild('2026-11-20', services(lab));
    expect(await contentHash(lab.lake)).toEqual(before);
  });

  it.each([
    ['answers', ''],
    ['nothing but refusals', 'denied-all'],
    ['nothing but failures', '500:1'],
  ])('refuses a run whose raw, %s, was removed', { timeout: 300_000 }, async (_, faults) => {
    const lab = await twoDays(faults);
    await removeRaw(lab.lake, RUN_2);
    const before = await contentHash(lab.lake);
    await expect(rebuild('2026-11-20', services(lab))).rejects.toThrow(
      `the raw answers of run ${RUN_2} were removed`,
    );
    expect(await contentHash(lab.lake)).toEqual(before);
  });

  it('says what is gone', { timeout: 300_000 }, async () => {
    const lab = await twoDays();
    await expect(rebuild('2026-11-22', services(lab))).rejects.toThrow(
      'no run is committed from 2026-11-22 on',
    );
  });
});

describe('rollback', () => {
  it('gives the tables as the run left them, and back again', { timeout: 300_000 }, async () => {
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

describe('purge', () => {
  it('leaves nothing of the source in tables, raw and state, and all else as it was', {
    timeout: 60_000,
  }, async () => {
    const lab = await twoDays();
    const rest = 'select * exclude (export_source) from players_daily order by all';
    const before = await lab.rows(rest);
    await purge('vault', services(lab));
    expect(await lab.rows(rest)).toEqual(before);
    const names = [
      'backup_slots_daily',
      'outcomes_daily',
      'changes',
      'runs',
      'schema_columns_daily',
      'rejects',
    ];
    for (const name of names) {
      expect(await lab.rows(`select count(*) n from ${name} where export_source = 'vault'`), name).toEqual([
        { n: 0 },
      ]);
    }
    for await (const { key } of lab.lake.list('raw/')) expect(key).not.toContain('/vault/');
    await rollback(RUN_1, services(lab));
    expect(await lab.rows('select count(*) n from backup_slots_daily')).toEqual([{ n: 0 }]);
    await expect(purge('nobody', services(lab))).rejects.toThrow('has no data of a source "nobody"');
  });
});
