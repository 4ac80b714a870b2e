import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { cliProcess } from '../cli/support.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';
import { operatorOf } from '../support/runs.ts';
import { type DuckDbStage, HUGE, TIGHT_MIB, tightRun } from '../support/tight-run.ts';

/** The sources. Only the answers of `hostile` have a text that the config hides. */
const NAMES = ['berlin', 'hostile', 'paris'] as const;

/** What a source's answer had on a day: its totals, and a text that no table shows, but raw holds. */
interface Day {
  readonly totals: Readonly<Record<(typeof NAMES)[number], readonly string[]>>;
  readonly hidden?: string;
}

const same = (...totals: string[]): Day['totals'] => ({
  berlin: totals,
  hostile: totals,
  paris: totals,
});

function routesOf({ totals, hidden = '' }: Day): Routes {
  const routes: Record<string, { body: string }> = {};
  for (const name of NAMES) {
    const api = `/${name}${SIGNAGE}`;
    const note = name === 'hostile' ? hidden : '';
    const groups = totals[name].map(
      (total, index) =>
        `{"Id":${index},"Seen":"a","Seen":"b","Total":${total},"Hidden":${JSON.stringify(index === 0 ? note : '')}}`,
    );
    routes[`${api}/AppGroups`] = { body: `[${groups.join(',')}]` };
    routes[`${api}/Players`] = { body: '[{"Id":1}]' };
  }
  return routes;
}

/** A lake and three sources, whose groups have totals, and a text that no table shows, but raw holds. */
async function historyLab() {
  const own = { resources: { app_groups: { drop: ['Hidden'] } } };
  const fleets = Object.fromEntries(NAMES.map((name) => [name, own]));
  const lab = await signageLab({}, { fleets });
  const { lake, written } = lab;
  const file = join(lab.folder, written.file);
  const rows = async (sql: string) => {
    using tables = await openTables(lake);
    return (await tables.query(sql)).rows;
  };
  return {
    folder: lab.folder,
    rows,
    /** The totals of a day by source, with their date. */
    daily: (source: string) =>
      rows(
        `select export_date, record_key, total, export_run_id from app_groups_daily where export_source = '${source}' order by all`,
      ),
    rejects: () =>
      rows('select export_date, export_source, record_key, raw_value, reason from rejects order by all'),
    lake,
    services: operatorOf(lab, { memoryLimitMiB: TIGHT_MIB, threads: 1 }),
    run: (scheduledTime: string, day: Day, tight: readonly DuckDbStage[] = []): Promise<RunSummary> => {
      lab.answer(routesOf(day));
      return tightRun({ lake, config: lab.config, scheduledTime, tight });
    },
    status: async () => {
      await writeFile(file, written.text);
      return cliProcess('status', '--config', file, '--lake', lake.name);
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
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
    const summary = await lab.run('2026-11-21T03:00:00Z', { totals: second }, ['PublishUnit']);
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
    const status = await lab.status();
    expect(status.stdout).toContain('HISTORY_SET_ASIDE');
    expect(status.stdout).toContain('hostile');

    const third = await lab.run('2026-11-22T03:00:00Z', { totals: same('12', '22', '32') }, ['PublishUnit']);
    expect(third.status).toBe('complete');
  }, 120_000);

  test('schema apply refuses what its cells would lose, with counts, and does it when that is accepted', async () => {
    await using lab = await historyLab();
    await lab.run('2026-11-20T03:00:00Z', { totals: same('"10"', '"20"', '"n/a"'), hidden: HUGE_TEXT });
    const before = await readHead(lab.lake);
    const wanted = { table: 'app_groups', column: 'total', type: 'bigint' } as const;
    await expect(applyType(wanted, lab.services)).rejects.toThrow(
      /hostile for app_groups cannot be used \(Out of Memory Error\), and 1 values/,
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
