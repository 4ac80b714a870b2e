import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type FixtureOptions, startFixtureServer } from '#simulator/fixture-server.ts';
import { cliProcess } from '../cli/support.ts';
import { labConfig, labFile } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';
import { type DuckDbStage, HUGE, TIGHT_MIB, tightRun } from '../support/tight-run.ts';

const NAMES = ['berlin', 'hostile', 'paris'] as const;

/** What a source's answer had on a day: its totals, and a text that no table shows, but raw holds. */
interface Day {
  readonly totals: Readonly<Record<(typeof NAMES)[number], readonly string[]>>;
  readonly hidden?: string;
}

const same = (...totals: string[]): Day['totals'] => ({ berlin: totals, hostile: totals, paris: totals });

function routesOf({ totals, hidden = '' }: Day): FixtureOptions['routes'] {
  const routes: Record<string, { body: string }> = {};
  for (const name of NAMES) {
    const api = `/${name}/gv2/webservices/API/v1.12`;
    const note = name === 'hostile' ? hidden : '';
    const groups = totals[name].map(
      (total, index) =>
        `{"Id":${index},"Seen":"a","Seen":"b","Total":${total},"Hidden":${JSON.stringify(index === 0 ? note : '')}}`,
    );
    routes[`${api}/AppGroups`] = { body: `[${groups.join(',')}]` };
    routes[`${api}/Licenses`] = { body: '[]' };
    routes[`${api}/Players`] = { body: '[{"Id":1}]' };
    for (const child of ['Screens', 'PendingFileTransfers'])
      routes[`${api}/Players/1/${child}`] = { body: '[]' };
  }
  return routes;
}

async function historyLab() {
  const folder = await temporaryFolder();
  const lake = folderLake(join(folder.path, 'lake'));
  let routes: FixtureOptions['routes'] = {};
  const server = await startFixtureServer({
    routes: new Proxy({}, { get: (_, path: string) => routes[path] }),
  });
  const settings = (columns: object) => ({
    config: {
      sources: NAMES.map((name) => ({
        name,
        kind: 'signage',
        baseUrl: server.url,
        basePath: `/${name}/gv2/webservices/API`,
        secret: 'lab/key',
        requestsPerSecond: null,
        resources: { app_groups: { drop: ['Hidden'], columns } },
      })),
    },
  });
  const file = join(folder.path, 'lab.config.json');
  const rows = async (sql: string) => {
    using tables = await openTables(lake);
    return (await tables.query(sql)).rows;
  };
  return {
    folder: folder.path,
    rows,
    /** The totals of a day by source, with their export date. */
    daily: (source: string) =>
      rows(
        `select export_date, record_key, total, export_run_id from app_groups_daily where export_source = '${source}' order by all`,
      ),
    rejects: () =>
      rows('select export_date, export_source, record_key, raw_value, reason from rejects order by all'),
    lake,
    services: {
      ...localServices(lake),
      ...LOCAL_HOLDER,
      memoryLimitMiB: TIGHT_MIB,
      threads: 1,
      config: labConfig(server.url, settings({})),
    },
    run: (
      scheduledTime: string,
      day: Day,
      tight?: DuckDbStage,
      columns: object = {},
    ): Promise<RunSummary> => {
      routes = routesOf(day);
      const config = labConfig(server.url, settings(columns));
      return tightRun({ lake, config, scheduledTime, tight: tight === undefined ? [] : [tight] });
    },
    cli: async (...args: readonly string[]) => {
      await writeFile(file, labFile(server.url, settings({})).text);
      return cliProcess(...args, '--config', file, '--lake', lake.name);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const isOfType = (row: readonly unknown[]) => row.at(-1) === 'type';
const HUGE_TEXT = 'x'.repeat(HUGE);

describe("history that is written again, and cannot be made from one source's kept answers", () => {
  test('is made from its cells where a column widens: the run commits all, and says of whom', async () => {
    await using lab = await historyLab();
    await lab.run('2026-11-20T03:00:00Z', { totals: same('10', '20', 'null'), hidden: HUGE_TEXT });
    // The second of two values under one name.
    const rejected = await lab.rejects();
    expect(rejected).toHaveLength(9);

    const second = { ...same('11', '21', '31'), berlin: ['11.5', '21', '31'] };
    const summary = await lab.run('2026-11-21T03:00:00Z', { totals: second }, 'PublishUnit');
    expect(summary.status).toBe('partial');
    const [berlin, hostile, paris] = summary.sources;
    expect([berlin, paris]).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
    expect(hostile).toMatchObject({
      status: 'partial',
      coverage: 1,
      outcomes: { failed: 0 },
      error: {
        code: 'HISTORY_SET_ASIDE',
        message: expect.stringMatching(/app_groups.*Out of Memory/),
      },
    });
    // Its rows of the first day are as they were, and those of today are those of today.
    const day = (date: string, runId: string, totals: readonly (number | null)[]) =>
      totals.map((total, index) => [date, String(index), total, runId]);
    const daily = [
      ...day('2026-11-20', '20261120T030000Z', [10, 20, null]),
      ...day('2026-11-21', '20261121T030000Z', [11, 21, 31]),
    ];
    expect(await lab.daily('hostile')).toEqual(daily);
    expect(await lab.daily('paris')).toEqual(daily);
    expect((await lab.rejects()).slice(0, 9)).toEqual(rejected);
    expect(
      await lab.rows("select count(*) from app_groups_daily where typeof(total) <> 'DECIMAL(38,9)'"),
    ).toEqual([[0]]);
    await expectOneTypeAColumn(lab.folder);
    const changed =
      "select export_source, record_key, old_value, new_value from changes where table_name = 'app_groups' and change = 'changed' and export_run_id = '20261121T030000Z' and record_key = '0' order by 1";
    expect(await lab.rows(changed)).toEqual([
      ['berlin', '0', '10', '11.5'],
      ['hostile', '0', '10', '11'],
      ['paris', '0', '10', '11'],
    ]);

    const runs =
      "select export_source, status, error_code from runs where export_run_id = '20261121T030000Z' order by 1";
    expect(await lab.rows(runs)).toEqual([
      ['berlin', 'complete', null],
      ['hostile', 'partial', 'HISTORY_SET_ASIDE'],
      ['paris', 'complete', null],
    ]);
    const status = await lab.cli('status');
    expect(status.stdout).toContain('HISTORY_SET_ASIDE');
    expect(status.stdout).toContain('hostile');

    const third = await lab.run('2026-11-22T03:00:00Z', { totals: same('12', '22', '32') }, 'PublishUnit');
    expect(third.status).toBe('complete');
  }, 120_000);

  test('what its cells cannot hold stands in rejects where the config gives another type', async () => {
    await using lab = await historyLab();
    await lab.run('2026-11-20T03:00:00Z', { totals: same('"10"', '"20"', '"n/a"'), hidden: HUGE_TEXT });
    const columns = { total: { type: 'bigint' } };
    const second = { totals: same('"11"', '"21"', '"31"') };
    const summary = await lab.run('2026-11-21T03:00:00Z', second, 'PublishUnit', columns);
    expect(summary.sources.map(({ status }) => status)).toEqual(['complete', 'partial', 'complete']);
    expect(summary.sources[1]?.error?.message).toContain('1 value');
    const first = (await lab.daily('hostile')).filter(([date]) => date === '2026-11-20');
    expect(first.map(([, , total]) => total)).toEqual([10, 20, null]);
    expect((await lab.rejects()).filter(isOfType)).toEqual(
      NAMES.map((name) => ['2026-11-20', name, '2', 'n/a', 'type']),
    );
    await expectOneTypeAColumn(lab.folder);
  }, 120_000);

  test('the same where an earlier run of the same day had the answers', async () => {
    await using lab = await historyLab();
    await lab.run('2026-11-20T03:00:00Z', { totals: same('"10"', '"20"', '"n/a"'), hidden: HUGE_TEXT });
    const second = { totals: same('"11"', '"21"', '"31"') };
    const summary = await lab.run('2026-11-20T09:00:00Z', second, 'Ledger', { total: { type: 'bigint' } });
    expect(summary.sources.map(({ status }) => status)).toEqual(['complete', 'partial', 'complete']);
    expect(summary.sources[1]?.error?.code).toBe('HISTORY_SET_ASIDE');
    expect((await lab.rejects()).filter(isOfType)).toEqual(
      NAMES.map((name) => ['2026-11-20', name, '2', 'n/a', 'type']),
    );
    expect((await lab.daily('hostile')).map(([, , total]) => total)).toEqual([11, 21, 31]);
  }, 120_000);

  test('schema apply refuses what its cells would lose, with counts, and does it when that is accepted', async () => {
    await using lab = await historyLab();
    await lab.run('2026-11-20T03:00:00Z', { totals: same('"10"', '"20"', '"n/a"'), hidden: HUGE_TEXT });
    const before = await readHead(lab.lake);
    const wanted = { table: 'app_groups', column: 'total', type: 'bigint' } as const;
    await expect(applyType(wanted, lab.services)).rejects.toThrow(
      /hostile for app_groups cannot be worked on \(Out of Memory Error\), and 1 values/,
    );
    expect(await readHead(lab.lake)).toEqual(before);

    await applyType({ ...wanted, acceptLoss: true }, lab.services);
    for (const name of NAMES)
      expect((await lab.daily(name)).map(([, , total]) => total)).toEqual([10, 20, null]);
    expect((await lab.rejects()).filter(isOfType)).toEqual(
      NAMES.map((name) => ['2026-11-20', name, '2', 'n/a', 'type']),
    );
  }, 120_000);
});
