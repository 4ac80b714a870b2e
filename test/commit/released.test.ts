import { describe, expect, it } from 'vitest';
import { releasedBy, removeReleased } from '#lib/commit/released.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Head } from '#lib/lake/head.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const OLD = '20261120T030000Z.1';
const NEW = '20261121T030000Z.2';
const at = (hour: string) => new Date(`2026-11-21T${hour}:00:00Z`);
const tablesOf = (run: string): Head['tables'] => ({
  screens: { newest: { date: '2026-11-20', run, parts: [0] }, dates: { '2026-11-20': { run, parts: [0] } } },
});

describe('what a commit releases', () => {
  it('is removed a day later by the commit that comes next, a month later too', async () => {
    await using folder = await temporaryFolder();
    const lake = folderLake(folder.path);
    const key = `tables/screens/export_date=2026-11-20/run=${OLD}/part-0000.parquet`;
    await lake.write(key, Buffer.from('x'));
    const waits = { table: 'screens', date: '2026-11-20', run: OLD, at: at('04').toISOString() };
    const current = head({ tables: tablesOf(NEW), released: [waits] });
    await removeReleased(lake, { head: current, next: current, now: at('20') });
    expect(await lake.read(key)).toBeDefined();
    const nextMonth = new Date('2026-12-21T04:00:00Z');
    await removeReleased(lake, { head: current, next: current, now: nextMonth });
    expect(await lake.read(key)).toBeUndefined();
    expect(releasedBy({ current, next: current, unnamed: [], now: nextMonth })).toEqual([]);
  });

  it('is removed with all files of an attempt that never committed, whatever their run and date', async () => {
    await using folder = await temporaryFolder();
    const lake = folderLake(folder.path);
    const keyOf = (run: string) => `tables/screens/export_date=2026-11-19/run=${run}/part-0000.parquet`;
    const run = '20261119T030000Z.2';
    const waits = { table: 'screens', date: '2026-11-19', run, at: at('05').toISOString() };
    const never = { table: null, date: '2026-11-21', run: '20261121T030000Z.2', at: at('04').toISOString() };
    const others = ['20261118T030000Z.2', '20261118T030000Z.3', waits.run];
    for (const run of others) await lake.write(keyOf(run), Buffer.from('x'));
    const current = head({ tables: tablesOf(OLD), released: [waits, never] });
    await removeReleased(lake, { head: current, next: current, now: new Date('2026-11-22T04:30:00Z') });
    const left = await Promise.all(others.map((run) => lake.read(keyOf(run))));
    expect(left.map((each) => each !== undefined)).toEqual([false, true, true]);
  });

  it('never takes a file that the head names', async () => {
    await using folder = await temporaryFolder();
    const lake = folderLake(folder.path);
    const key = `tables/screens/export_date=2026-11-20/run=${OLD}/part-0000.parquet`;
    await lake.write(key, Buffer.from('x'));
    const wrong = { table: null, date: '2026-11-20', run: OLD, at: at('01').toISOString() };
    const current = head({ tables: tablesOf(OLD), released: [wrong] });
    await removeReleased(lake, { head: current, next: current, now: new Date('2026-12-21T04:00:00Z') });
    expect(await lake.read(key)).toBeDefined();
  });
});
