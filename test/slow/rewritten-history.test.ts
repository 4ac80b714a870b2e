import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { type ListedKey, listKeys } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { readSchema } from '#lib/schema/schema.ts';
import { DAY_MS } from '#lib/time.ts';
import { openWorld } from '../model/world.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { exportOnce, operatorOf } from '../support/runs.ts';

const licenses = (total: number) => ({
  [`${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'A', Total: total }]) },
});
const operator = (lab: FixtureLab, now: string) => operatorOf(lab, { now: () => new Date(now) });
async function filesOf(lab: FixtureLab): Promise<readonly ListedKey<'table'>[]> {
  const files: ListedKey<'table'>[] = [];
  for await (const file of listKeys(lab.lake, 'table')) files.push(file);
  return files;
}
const totals = (lab: FixtureLab) =>
  lab.flat(`select concat(export_date, ' ', total) from licenses_daily order by 1`);

it('a rollback days later keeps the files that it commits, which a later run of their day replaced', async () => {
  await using lab = await signageLab(licenses(1));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-20T09:00:00Z', licenses(2));
  await rollback('20261120T030000Z', operator(lab, '2099-01-01T00:00:00Z'));
  expect(await totals(lab)).toEqual(['2026-11-20 1']);
});

it('status offers a run whose files were replaced until they are removed, and no longer', async () => {
  await using lab = await signageLab(licenses(1));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-20T09:00:00Z', licenses(2));
  const offered = async (now: string) => {
    const head = (await readHead(lab.lake))?.head;
    return head && (await wayBack(head, operator(lab, now))).rollbacks;
  };
  expect(await offered('2026-11-20T10:00:00Z')).toMatchObject([{ runId: '20261120T030000Z' }]);
  const later = operator(lab, '2099-01-01T00:00:00Z');
  await applyType({ table: 'licenses', column: 'total', type: 'varchar' }, later);
  expect(await offered('2099-01-01T01:00:00Z')).toEqual([]);
});

it('a rollback to a run whose newest file was lost is refused: no later run could build upon it', async () => {
  await using lab = await signageLab(licenses(1));
  for (const day of [20, 21]) await lab.run(`2026-11-${day}T03:00:00Z`);
  const files = (await filesOf(lab)).filter(({ table }) => table === 'licenses');
  await lab.lake.remove(files.flatMap(({ key, exportDate }) => (exportDate === '2026-11-20' ? [key] : [])));
  const back = rollback('20261120T030000Z', operator(lab, '2026-11-21T05:00:00Z'));
  await expect(back).rejects.toMatchObject({ code: 'ROLLBACK_IMPOSSIBLE' });
  await lab.run('2026-11-22T03:00:00Z');
});

it('a time zone that is moved west turns no date back', async () => {
  await using lab = await signageLab(licenses(1), { config: { timeZone: 'Pacific/Auckland' } });
  await lab.run('2026-11-20T03:00:00Z');
  // The 21st in Auckland, still the 20th in Honolulu.
  await lab.run('2026-11-20T15:00:00Z', licenses(2));
  const west = { config: { timeZone: 'Pacific/Honolulu' } };
  await lab.run('2026-11-21T03:00:00Z', licenses(3), west);
  expect(await totals(lab)).toEqual(['2026-11-20 1', '2026-11-21 3']);
  await lab.run('2026-11-23T03:00:00Z', licenses(4), west);
  expect((await totals(lab)).at(-1)).toBe('2026-11-22 4');
});

it('purge removes files of tables that no head names, a day later as all others', async () => {
  await using lab = await signageLab(licenses(1));
  await lab.run('2026-11-20T03:00:00Z');
  const [{ key = '' } = {}] = (await filesOf(lab)).filter(({ table }) => table === 'licenses');
  const unnamed = 'tables/licenses/export_date=2026-11-19/run=20261119T030000Z.1/part-0000.parquet';
  await lab.lake.write(unnamed, (await lab.lake.read(key))?.bytes ?? Buffer.from(''));
  await lab.run('2026-11-21T03:00:00Z');
  // Each run removes what was released a day ago by its own clock.
  await purge('berlin', operator(lab, new Date(Date.now() - DAY_MS).toISOString()));
  expect(await lab.lake.read(unnamed)).toBeDefined();
  await lab.run('2026-11-22T03:00:00Z');
  expect(await lab.lake.read(unnamed)).toBeUndefined();
  const head = (await readHead(lab.lake))?.head;
  const left = await filesOf(lab);
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((each) => head?.tables[each.table]?.dates[each.exportDate] === undefined)).toEqual([]);
  expect(await totals(lab)).toEqual(['2026-11-22 1']);
});

it('a run writes no date again that leaves the daily tables with its commit', async () => {
  await using lab = await signageLab(licenses(1));
  for (const day of [20, 21, 22]) await lab.run(`2026-11-${day}T03:00:00Z`);
  const resources = { licenses: { drop: ['Total'] } };
  const hidden = { config: { dailyRetentionDays: 2 }, signage: { resources } };
  const { runId } = await lab.run('2026-11-23T03:00:00Z', licenses(1), hidden);
  const written = (await filesOf(lab)).filter((each) => each.table === 'licenses' && each.runId === runId);
  expect(written.map(({ exportDate }) => exportDate)).toEqual(['2026-11-22', '2026-11-23']);
});

/** A world of two sources in which each value was that of a day, and its config. */
async function lived(values: readonly string[], more: object = {}) {
  const world = await openWorld(new Date('2026-03-01T03:00:00Z'));
  const sources = ['a', 'b'].map((name) => ({ name }));
  const config = world.config({ name: 'cut', minCoverage: 0, sources, ...more });
  for (const V of values) {
    for (const { name } of sources)
      world.answers.set(name, { players: new Map([['1', { Id: '1', V }]]), screens: new Map() });
    world.now = new Date(world.now.getTime() + DAY_MS);
    await world.step(undefined, (services) => exportOnce({ ...services, config }));
  }
  return [world, config] as const;
}

it('a rebuild has the raw answers of one run at a time on its disk', async () => {
  const [made, config] = await lived(['1', '2', '3']);
  await using world = made;
  const copied = new Set<string>();
  const runsAtOnce: number[] = [];
  await world.step(undefined, async ({ lake, ...services }) => {
    const drop = async (keys: readonly string[]) => {
      for (const key of keys) copied.delete(key);
    };
    const copying: Lake = {
      ...lake,
      localPaths: async (keys) => {
        for (const key of keys.filter((each) => each.startsWith('raw/'))) copied.add(key);
        runsAtOnce.push(new Set([...copied].map((key) => key.split('/')[1])).size);
        return await lake.localPaths(keys);
      },
      copies: { room: async () => Number.MAX_SAFE_INTEGER, drop },
    };
    await rebuild('2026-03-01', { ...services, lake: copying, config });
  });
  expect(runsAtOnce).not.toHaveLength(0);
  expect(Math.max(...runsAtOnce)).toBe(1);
  expect([...copied]).toEqual([]);
});

it('a rebuild has the groups, opening hours and targets of the present config', async () => {
  const [made, config] = await lived(['1', '2'], { targets: { '*': 0.8 } });
  await using world = made;
  const line = { group: 'x', weekdays: '1', opens: 0, closes: 60, zone: 'UTC' };
  const { targets: _, ...others } = config;
  const schemaAfter = async (present: object) => {
    let schema: object = {};
    await world.step(undefined, async (services) => {
      await rebuild('2026-03-01', { ...services, config: { ...others, ...present } });
      const head = await readHead(services.lake);
      schema = await readSchema(services.lake, head?.head.schema ?? '');
    });
    return schema;
  };
  const present = { groups: ['V'], hours: [line], targets: { '*': 0.9 } };
  expect(await schemaAfter(present)).toMatchObject(present);
  const plain = await schemaAfter({ groups: [] });
  expect(plain).toMatchObject({ groups: [], hours: [] });
  expect(plain).not.toHaveProperty('targets');
});

it('a purge that is cut off after its commit can be done again, though raw is gone, and no rollback undoes it', async () => {
  const [made, config] = await lived(['1', '2'], { rawRetentionDays: 0 });
  await using world = made;
  const behindCommit = { at: 0, isDone: true, isAtHead: true };
  const end = await world.step(behindCommit, (services) => purge('b', { ...services, config }));
  expect(end).toBe('killed');
  await world.step(undefined, (services) => purge('b', { ...services, config }));
  const back = world.step(undefined, (services) => rollback('20260302T030000Z', { ...services, config }));
  await expect(back).rejects.toThrow('cannot be rolled back to');
  expect((await world.rows('players')).map((row) => row.export_source)).toEqual(['a']);
});
