import { describe, expect, test } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { historyLab, NAMES, same } from '../support/history-lab.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';
import { HUGE } from '../support/tight-run.ts';

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
    const summary = await lab.run('2026-11-21T03:00:00Z', { totals: second }, { tight: 'PublishUnit' });
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

    const third = await lab.run(
      '2026-11-22T03:00:00Z',
      { totals: same('12', '22', '32') },
      { tight: 'PublishUnit' },
    );
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
