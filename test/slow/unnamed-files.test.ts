import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { type ListedKey, listKeys } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';

const DAY_MS = 24 * 3_600_000;

async function filesOf(lake: Lake): Promise<readonly ListedKey<'table'>[]> {
  const files: ListedKey<'table'>[] = [];
  for await (const file of listKeys(lake, 'table')) files.push(file);
  return files;
}

it('purge removes files of tables that no head names, a day later as all others', async () => {
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } });
  await lab.run('2026-11-20T03:00:00Z');
  const named = (await filesOf(lab.lake)).map(({ key }) => key);
  const key = named.find((each) => each.startsWith('tables/players/')) ?? '';
  const unnamed = 'tables/players/export_date=2026-11-19/run=20261119T030000Z.1/part-0000.parquet';
  await lab.lake.write(unnamed, (await lab.lake.read(key))?.bytes ?? Buffer.from(''));
  await lab.run('2026-11-21T03:00:00Z');
  // Each run removes what was released a day ago by its own clock.
  const dayAgo = new Date(Date.now() - DAY_MS);
  await purge('berlin', { ...operatorServices(lab), now: () => dayAgo });
  expect(await lab.lake.read(unnamed)).toBeDefined();
  await lab.run('2026-11-22T03:00:00Z');
  expect(await lab.lake.read(unnamed)).toBeUndefined();
  const head = (await readHead(lab.lake))?.head;
  const left = (await filesOf(lab.lake)).map(({ table, exportDate }) => ({
    table,
    exportDate,
  }));
  expect(left.length).toBeGreaterThan(0);
  expect(
    left.filter(({ table, exportDate }) => head?.tables[table]?.dates[exportDate] === undefined),
  ).toEqual([]);
  expect(await lab.rows('select distinct export_date from players_daily')).toEqual([
    { export_date: '2026-11-22' },
  ]);
});
