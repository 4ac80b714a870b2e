import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { listKeys } from '#lib/lake/list-keys.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { unanswered } from '#lib/repair/unanswered.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { contentHash } from '../support/content-hash.ts';
import { type ExportLab, exportLab, labSecrets, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { operatorOf, repairOnce } from '../support/runs.ts';
import { someOf } from '../support/some-of.ts';
import { DAY_1, DAY_2, type Exported, type TwoDays, twoDaysOf } from '../support/two-days.ts';

const RUN_1 = '20261120T030000Z';
const RUN_2 = '20261121T030000Z';
const atOnce = { random: () => 0 };

let lab: ExportLab;
let days: TwoDays;
let undisturbed: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await exportLab({ players: 24, seed: 5 });
  days = twoDaysOf(lab);
  lab.simulator.day = 1;
  undisturbed = await contentHash((await days.exported()).lake);
}, 120_000);
afterAll(async () => {
  await days[Symbol.asyncDispose]();
  await lab[Symbol.asyncDispose]();
});

async function removeRaw(lake: Lake, runId: string): Promise<void> {
  for await (const { key } of listKeys(lake, 'raw', { runId })) await lake.remove([key]);
}

async function repair({ lake }: Pick<ExportLab, 'lake'>, runId?: string) {
  await using api = localApiServices(localServices(lake), labSecrets(lab.simulator), () => 0);
  return await repairOnce(operatorOf(lab, api), runId);
}

const services = ({ lake }: Exported) => operatorOf({ lake, config: lab.config });

describe('repair', () => {
  it.each([
    ['some players were denied', 'denied:0.2'],
    ['the server was down from the middle on', 'down@from=30'],
    ['the players listing failed', '500:1@resource=players'],
  ])('after %s gives the tables of a run that never failed', { timeout: 300_000 }, async (_, faults) => {
    const exported = await days.exported(faults);
    expect(await contentHash(exported.lake)).not.toEqual(undisturbed);
    expect((await repair(exported))?.status).toBe('complete');
    expect(await contentHash(exported.lake)).toEqual(undisturbed);
    expect(await repair(exported)).toBeUndefined();
  });

  it.each([
    {
      what: 'one listing was missing',
      answer: (path: string) => (path.endsWith('Screens') ? { status: 404, body: '{}' } : { body: '[]' }),
      due: ['1', '2', '3'].map((parentId) => ({ resource: 'screens', parentId })),
    },
    {
      what: 'the key was refused',
      answer: () => ({ status: 401, body: '{}' }),
      due: ['app_groups', 'licenses', 'players'].map((resource) => ({ resource, parentId: null })),
    },
  ])('asks again for each listing where $what', async ({ answer, due }) => {
    const players = { body: '[{"Id":1},{"Id":2},{"Id":3}]' };
    const listings = ['Licenses', 'AppGroups', ...['1', '2', '3'].map((id) => `Players/${id}/Screens`)];
    const routes = [`${SIGNAGE}/Players`, ...listings.map((listing) => `${SIGNAGE}/${listing}`)].map(
      (path) => [
        path,
        { ...answer(path), ...(path.endsWith('Players') && answer(path).status !== 401 && players) },
      ],
    );
    await using fixture = await fixtureLab(Object.fromEntries(routes), SIGNAGE_ALONE);
    await fixture.run(DAY_1);
    const head = (await readHead(fixture.lake))?.head;
    if (head === undefined) throw new Error('nothing is committed');
    const left = await unanswered(head, localServices(fixture.lake));
    expect(left).toEqual(due.map((each) => ({ source: 'berlin', ...each })));
    const secrets = { read: async () => ({ apiKey: 'fixture-key' }) };
    await using api = localApiServices(localServices(fixture.lake), secrets, () => 0);
    const { input } = await startRepair(undefined, operatorOf(fixture, api));
    expect(input).toMatchObject({ runId: RUN_1, attempt: 2, sources: ['berlin'] });
  });

  it('asks only for what was denied or failed, and refuses an older run', { timeout: 300_000 }, async () => {
    const exported = await days.exported('denied:0.2');
    const [lacking] = await exported.rows("select count(*) n from outcomes where outcome = 'denied'");
    lab.simulator.stats.reset();
    await repair(exported, RUN_2);
    expect(lab.simulator.stats.requests).toBe(lacking?.n);
    await expect(repair(exported, RUN_1)).rejects.toThrow('only the newest run can');
  });
});

describe('rebuild', () => {
  it('makes the same tables from raw, from either date', { timeout: 300_000 }, async () => {
    const exported = await days.exported('denied:0.1,gone:0.1');
    const before = await contentHash(exported.lake);
    lab.simulator.stats.reset();
    for (const from of ['2026-11-20', '2026-11-21']) {
      await rebuild(from, services(exported));
      expect(await contentHash(exported.lake)).toEqual(before);
    }
    expect(lab.simulator.stats.requests).toBe(0);
  });

  it('begins with a date whose first run stored no answer, and status says so', {
    timeout: 300_000,
  }, async () => {
    const exported = await days.exported('', DAY_2);
    await exported.run('2026-11-21T09:00:00Z', atOnce);
    await removeRaw(exported.lake, RUN_1);
    const head = (await readHead(exported.lake))?.head;
    if (head === undefined) throw new Error('nothing is committed');
    expect((await wayBack(head, services(exported))).rebuildFrom).toBe('2026-11-21');
    const before = await contentHash(exported.lake);
    await rebuild('2026-11-21', services(exported));
    expect(await contentHash(exported.lake)).toEqual(before);
  });

  it('makes a run again whose only source was purged since', { timeout: 300_000 }, async () => {
    const exported = await days.exported();
    await days.onDay(2, () => exported.run('2026-11-22T03:00:00Z', { ...atOnce, sources: ['vault'] }));
    await purge('vault', services(exported));
    const before = await contentHash(exported.lake);
    await rebuild('2026-11-20', services(exported));
    expect(await contentHash(exported.lake)).toEqual(before);
  });

  it.each([
    ['answers', ''],
    ['nothing but failures', '500:1'],
  ])('refuses a run whose raw, %s, was removed', { timeout: 300_000 }, async (_, faults) => {
    const exported = await days.exported(faults);
    await removeRaw(exported.lake, RUN_2);
    const before = await contentHash(exported.lake);
    await expect(rebuild('2026-11-20', services(exported))).rejects.toThrow(
      `the raw answers of run ${RUN_2} were removed`,
    );
    expect(await contentHash(exported.lake)).toEqual(before);
  });

  it('says what is gone', { timeout: 300_000 }, async () => {
    const exported = await days.exported();
    await expect(rebuild('2026-11-22', services(exported))).rejects.toThrow(
      'no run is committed from 2026-11-22 on',
    );
  });
});

describe('rollback', () => {
  it('gives the tables as the run left them, and back again', { timeout: 300_000 }, async () => {
    const exported = await days.exported();
    const two = await contentHash(exported.lake);
    await rollback(RUN_1, services(exported));
    const one = await contentHash(exported.lake);
    expect(await exported.rows('select distinct export_date from screens_daily')).toEqual([
      { export_date: '2026-11-20' },
    ]);
    await rollback(RUN_2, services(exported));
    expect(await contentHash(exported.lake)).toEqual(two);
    await rollback(RUN_1, services(exported));
    expect(await contentHash(exported.lake)).toEqual(one);
    await exported.run(DAY_2);
    expect(await contentHash(exported.lake)).toEqual(two);
    await expect(rollback('20261101T030000Z', services(exported))).rejects.toThrow(
      'has no commit of this run',
    );
  });
});

describe('purge', () => {
  it('leaves nothing of the source in tables, raw and state, and all else as it was', {
    timeout: 60_000,
  }, async () => {
    const exported = await days.exported();
    const rest = 'select * exclude (export_source) from players_daily order by all';
    const before = await exported.rows(rest);
    await purge('vault', services(exported));
    expect(await exported.rows(rest)).toEqual(before);
    const names = 'backup_slots_daily outcomes_daily changes runs schema_columns_daily rejects';
    for (const name of someOf(names.split(' '))) {
      expect(
        await exported.rows(`select count(*) n from ${name} where export_source = 'vault'`),
        name,
      ).toEqual([{ n: 0 }]);
    }
    for await (const { key } of exported.lake.list('raw/')) expect(key).not.toContain('/vault/');
    await rollback(RUN_1, services(exported));
    expect(await exported.rows('select count(*) n from backup_slots_daily')).toEqual([{ n: 0 }]);
    await expect(purge('nobody', services(exported))).rejects.toThrow('has no data of a source "nobody"');
  });
});
