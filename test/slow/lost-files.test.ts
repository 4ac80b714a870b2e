import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readHead, readRunHead } from '#lib/lake/head.ts';
import { lakeKey, lakePrefix, parseKey } from '#lib/lake/keys.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { attemptName } from '#lib/run-id.ts';
import { openWorld } from '../model/world.ts';
import { labConfig } from '../support/export-lab.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { exportOnce, operatorOf, repairOnce } from '../support/runs.ts';

const said = (email: string) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Email: email }]) },
});
const at = (day: number, hour = 3) => `2026-11-0${day}T0${hour}:00:00Z`;
const servicesOf = (lab: FixtureLab, now: string) => operatorOf(lab, { now: () => new Date(now) });
const headOf = async (lab: FixtureLab) => {
  const stored = await readHead(lab.lake);
  if (stored === undefined) throw new Error('the lake has no head');
  return stored.head;
};
/** Removes the file of players of a day. */
async function lose(lab: FixtureLab, date: string): Promise<void> {
  const run = (await headOf(lab)).tables.players?.dates[date]?.run ?? '';
  await rm(join(lab.folder, 'lake/tables/players', `export_date=${date}`, `run=${run}`), { recursive: true });
}
/** Files that the head neither names nor remembers. */
async function forgotten(lab: FixtureLab): Promise<readonly string[]> {
  const { tables, released } = await headOf(lab);
  const waits = new Set(
    released.map(({ table, date, run }) => (table === null ? run.split('.')[1] : `${table} ${date} ${run}`)),
  );
  const keys: string[] = [];
  for await (const { key } of lab.lake.list('tables/')) {
    const file = parseKey(key);
    if (file?.kind !== 'table') continue;
    const { table, exportDate: date } = file;
    const run = attemptName(file);
    const isKnown =
      tables[table]?.dates[date]?.run === run ||
      waits.has(`${table} ${date} ${run}`) ||
      waits.has(String(file.attempt));
    if (!isKnown) keys.push(key);
  }
  return keys;
}

it('what a rebuild of two runs of a day wrote for the first of them waits for its end', async () => {
  await using lab = await signageLab(said('a'));
  await lab.run(at(1, 3));
  await lab.run(at(1, 5), said('b'));
  await rebuild('2026-11-01', servicesOf(lab, at(1, 6)));
  expect(await forgotten(lab)).toEqual([]);
});

it('every run that a rebuild made again has the head of it, also where the next run is forgotten with its raw', async () => {
  await using lab = await signageLab(said('a'));
  await lab.run(at(1, 3));
  await lab.run(at(2, 3));
  await lab.run(at(2, 5), said('b'));
  const services = servicesOf(lab, at(6));
  const { attempt } = await rebuild('2026-11-01', {
    ...services,
    config: { ...services.config, rawRetentionDays: 0 },
  });
  expect(await readRunHead(lab.lake, '20261102T030000Z')).toBeUndefined();
  expect(await readRunHead(lab.lake, '20261101T030000Z')).toMatchObject({ attempt });
});

it('a run writes no date again that leaves the daily tables with its commit', async () => {
  await using lab = await signageLab(said('a'));
  for (const day of [1, 2, 3]) await lab.run(at(day));
  const hidden = {
    config: { dailyRetentionDays: 2 },
    signage: { resources: { players: { drop: ['Email'] } } },
  };
  await lab.run(at(4), said('a'), hidden);
  expect(Object.keys((await headOf(lab)).tables.players?.dates ?? {})).toEqual(['2026-11-03', '2026-11-04']);
  expect(await forgotten(lab)).toEqual([]);
});

it('a lost head comes back though the config hides more by now, and the next run hides it', async () => {
  await using lab = await signageLab(said('a'));
  await lab.run(at(1));
  await lab.lake.remove([lakeKey('head')]);
  const hidden = { signage: { resources: { players: { drop: ['Email'] } } } };
  const config = labConfig(lab.server.url, hidden);
  const found = await recoveryOf(lab.lake, config);
  if (found === undefined) throw new Error('the head is there');
  await recover(found, { ...servicesOf(lab, at(1, 5)), config });
  await lab.run(at(2), said('b'), hidden);
  expect(await lab.rows('select distinct email from players_daily')).toEqual([{ email: null }]);
});

it('an operator brings no run back whose raw is not kept: repair is refused as before', async () => {
  const gone = { config: { rawRetentionDays: 0 } };
  await using lab = await signageLab(said('a'), gone);
  await lab.run(at(1), { ...said('a'), [`${SIGNAGE}/Licenses`]: { status: 400, body: '{}' } });
  const services = servicesOf(lab, at(1, 5));
  await applyType({ table: 'players', column: 'email', type: 'varchar' }, services);
  await expect(startRepair(undefined, services)).rejects.toMatchObject({ code: 'REPAIR_TOO_LATE' });
});

it('a rollback to a run whose newest file was lost is refused: no later run could build upon it', async () => {
  await using lab = await signageLab(said('a'));
  for (const day of [1, 2]) await lab.run(at(day));
  await lose(lab, '2026-11-01');
  const back = rollback('20261101T030000Z', servicesOf(lab, at(2, 5)));
  await expect(back).rejects.toMatchObject({ code: 'ROLLBACK_IMPOSSIBLE' });
  await lab.run(at(3));
});

it('where the head of an earlier run is damaged, status still tells what else can be had', async () => {
  await using lab = await signageLab(said('a'));
  for (const day of [1, 2, 3]) await lab.run(at(day));
  const damage = (runId: string) =>
    lab.lake.write(lakeKey('runHead', { runId }), Buffer.from('{"version":2,'));
  const back = async () => wayBack(await headOf(lab), servicesOf(lab, at(3, 5)));
  expect((await back()).rollbacks.map(({ date }) => date)).toEqual(['2026-11-02', '2026-11-01']);
  await damage('20261102T030000Z');
  expect(await back()).toMatchObject({
    repair: null,
    rollbacks: [{ runId: '20261101T030000Z' }],
    rebuildFrom: '2026-11-01',
  });
  await damage('20261101T030000Z');
  expect(await back()).toMatchObject({ rollbacks: [], rebuildFrom: '2026-11-03' });
});

it('a run is not made again where raw answers of one of its sources, or of one listing, are gone', async () => {
  await using world = await openWorld(new Date('2026-03-01T03:00:00Z'));
  const config = world.config({ name: 'lost', minCoverage: 0, sources: [{ name: 'a' }, { name: 'b' }] });
  for (const day of ['1', '2']) {
    for (const source of ['a', 'b']) {
      const record = { Id: '1', V: day };
      const screens = source === 'a' && day === '2' ? 'failed' : new Map([['1', record]]);
      world.answers.set(source, { players: new Map([['1', record]]), screens: new Map([['1', screens]]) });
    }
    world.now = new Date(world.now.getTime() + 86_400_000);
    await world.step(undefined, (services) => exportOnce({ ...services, config }));
  }
  const before = await world.rows('players', '2026-03-03');
  const rebuilding = () =>
    world.step(undefined, (services) => rebuild('2026-03-02', { ...services, config }));
  const repairing = () => world.step(undefined, (services) => repairOnce({ ...services, config }));
  const lose = (resource: 'players' | 'screens') =>
    world.lose(lakePrefix('raw', { runId: '20260303T030000Z', source: 'b', resource }));
  await lose('screens');
  await expect(rebuilding()).rejects.toMatchObject({ code: 'REBUILD_IMPOSSIBLE' });
  await lose('players');
  await expect(rebuilding()).rejects.toThrow('source b are gone (1 of players, 1 of screens)');
  await expect(repairing()).rejects.toThrow('source b are gone (1 of players, 1 of screens)');
  expect(await world.rows('players', '2026-03-03')).toEqual(before);
});
