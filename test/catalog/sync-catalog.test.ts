import { describe, expect, it } from 'vitest';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead, type Head, readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { EMPTY_SCHEMA } from '#lib/schema/schema.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { memoryCatalog } from '../support/memory-catalog.ts';

const DAY_2 = '2026-11-22';
const RUN_2 = '20261122T030000Z';
const COUNT = TABLES.length + TABLES.filter(({ onlyDays }) => !onlyDays).length;

const second = (): Head => {
  const [first] = [head().tables['screens']?.dates ?? {}];
  const files = { run: `${RUN_2}.2`, parts: [0] };
  const screens = { newest: { date: DAY_2, ...files }, dates: { ...first, [DAY_2]: files } };
  return head({ runId: RUN_2, attempt: 2, exportDate: DAY_2, tables: { screens } });
};

async function commit(lake: Lake, next: Head): Promise<void> {
  await lake.write(next.schema, Buffer.from(JSON.stringify(EMPTY_SCHEMA)));
  await commitHead(lake, next, (await readHead(lake))?.etag);
}

describe('the catalog follows the head', () => {
  it('has every table, the newest at its run and a partition a date at its own', async () => {
    await using folder = await temporaryFolder();
    const lake = folderLake(folder.path);
    const catalog = memoryCatalog();
    await commit(lake, head());
    expect(await syncCatalog(lake, catalog, [])).toMatchObject({ tables: COUNT, partitions: 1 });
    await commit(lake, second());
    const due = { tables: 1, tablesRemoved: 0, partitions: 1, partitionsRemoved: 0 };
    expect(await syncCatalog(lake, catalog, [])).toEqual(due);
    const place = `${folder.path}/tables/screens/export_date=`;
    expect(catalog.content.get('screens')?.table.location).toBe(`${place}${DAY_2}/run=${RUN_2}.2/`);
    expect(
      [...(catalog.content.get('screens_daily')?.partitions.values() ?? [])].map(({ location }) => location),
    ).toEqual([`${place}2026-11-21/run=20261121T030000Z.1/`, `${place}${DAY_2}/run=${RUN_2}.2/`]);
  });

  it('ends at the newest head where a run is committed during a sync, and where two sync at once', async () => {
    await using folder = await temporaryFolder();
    const lake = folderLake(folder.path);
    const catalog = memoryCatalog();
    await commit(lake, head());
    let committed = false;
    catalog.onChange = async (what) => {
      if (what !== 'players' || committed) return;
      committed = true;
      await commit(lake, second());
    };
    await Promise.all([syncCatalog(lake, catalog, []), syncCatalog(lake, catalog, [])]);
    expect(catalog.content.get('screens')?.table.location).toContain(RUN_2);
    const days = catalog.content.get('screens_daily')?.partitions.keys() ?? [];
    expect([...days]).toEqual(['2026-11-21', DAY_2]);
  });
});
