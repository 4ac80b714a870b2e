import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { SCRATCH } from '#lib/lake/folder/folder-scratch.ts';
import { commitHead } from '#lib/lake/head.ts';
import { StatementFailed } from '#lib/runtime/duckdb-errors.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { head } from '../support/head.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shared-duckdb-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the DuckDB that the stages of a process share', () => {
  it('has what is temporary once for each connection, and leaves nothing behind', async () => {
    {
      await using shared = sharedDuckDb(localServices(folderLake(root)));
      using one = await shared.connect();
      using two = await shared.connect();
      await one.run('create temp view outcomes as select 1 as n');
      await two.run('create temp view outcomes as select 2 as n');
      await two.run('create temp table leaves as select 3 as n');
      expect(await one.rows('select n from outcomes')).toEqual([{ n: 1 }]);
      expect(await two.rows('select n from outcomes')).toEqual([{ n: 2 }]);
      await expect(one.rows('select n from leaves')).rejects.toThrow('leaves');
      expect(
        await two.rows("select current_setting('TimeZone') as zone, cell_text('\"a\"') as text"),
      ).toEqual([{ zone: 'UTC', text: 'a' }]);
    }
    expect(readdirSync(join(root, SCRATCH))).toEqual([]);
  });

  it('stays shut in, on each connection', async () => {
    await using shared = sharedDuckDb(localServices(folderLake(root)));
    using db = await shared.connect();
    await expect(db.run("copy (select 1) to '/tmp/outside.parquet'")).rejects.toThrow();
    await expect(db.run('set enable_external_access = true')).rejects.toThrow();
  });

  it('has one thread where the newest day is small, and all where none is known or it is large', async () => {
    const lake = folderLake(root);
    const threads = async () => {
      await using shared = sharedDuckDb({ ...localServices(lake), threads: 3 });
      using db = await shared.connect();
      const [row] = await db.rows("select current_setting('threads')::int as threads");
      return row?.['threads'];
    };
    expect(await threads()).toBe(3);
    const ofDay = { date: '2026-11-20', run: '20261120T030000Z.1', parts: [0, 1] };
    const sums = (bytes: number) => [`${bytes} ${'0'.repeat(64)}`, `1 ${'0'.repeat(64)}`];
    let etag: string | undefined;
    for (const [newest, wanted] of [
      [{ ...ofDay, sums: sums(5000) }, 1],
      [{ ...ofDay, sums: sums(2 ** 20) }, 3],
      [ofDay, 3],
    ] as const) {
      etag = await commitHead(lake, head({ tables: { players: { newest, dates: {} } } }), etag);
      expect(await threads()).toBe(wanted);
    }
  });
});

describe('what a statement spills has a bound', () => {
  /** Sorts 60 MB in a memory of 32 MiB. */
  const sorts =
    'create temp table sorted as select md5(n::varchar) || md5((n + 1)::varchar) as text from range(1000000) as all_of (n) order by text';
  const stageDb = (more: object) => {
    const lake = folderLake(root);
    return sharedDuckDb({ ...localServices(lake), memoryLimitMiB: 32, threads: 1, ...more });
  };

  it('which is half of the free disk where nothing else is said', async () => {
    await using shared = stageDb({});
    using db = await shared.connect();
    expect(await db.run(sorts)).toBe(1_000_000);
    const [row] = await db.rows("select current_setting('max_temp_directory_size') as bound");
    expect(row?.['bound']).toMatch(/^[\d.]+ [GT]iB$/);
  });

  it('and what needs more has failed by its values: the disk is not full', async () => {
    await using shared = stageDb({ spillLimitMiB: 4 });
    using db = await shared.connect();
    const failure = await db.run(sorts).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StatementFailed);
    expect(String(failure)).toContain('failed to offload');
    expect(await db.rows('select 1 as n')).toEqual([{ n: 1 }]);
  });
});
