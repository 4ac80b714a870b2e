import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';

const licenses = (...totals: string[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: `[${totals.map((total, index) => `{"Type":"T${index}","TotalCount":${total}}`).join(',')}]`,
  },
});

it('an integer column that turns to a fraction on day 2 reads as decimal on both days, with a WHERE on it', async () => {
  await using lab = await signageLab(licenses('10', '20'));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', licenses('10', '20.5'));
  expect(
    await lab.rows(
      'select export_date, total_count from licenses_daily where total_count > 15 order by export_date',
    ),
  ).toEqual([
    { export_date: '2026-11-20', total_count: 20 },
    { export_date: '2026-11-21', total_count: 20.5 },
  ]);
  await expectOneTypeAColumn(lab.folder);
  expect(
    await lab.rows(
      "select change, column_name, old_value, new_value from changes where table_name = 'licenses'",
    ),
  ).toEqual([{ change: 'changed', column_name: 'total_count', old_value: '20', new_value: '20.5' }]);
});

it('a type in the config recasts the history: from its cells, and from what was rejected', async () => {
  await using lab = await signageLab(licenses('"10"', '"20"', '"n/a"'));
  await lab.run('2026-11-20T03:00:00Z');
  expect(await lab.rows('select total_count from licenses order by type')).toEqual(
    ['10', '20', 'n/a'].map((total_count) => ({ total_count })),
  );
  const typed = (type: string) => ({
    signage: { resources: { licenses: { columns: { total_count: { type } } } } },
  });
  await lab.run('2026-11-21T03:00:00Z', licenses('"10"', '"21"', '"n/a"'), typed('bigint'));
  const daily = 'select export_date, total_count from licenses_daily where total_count > 0 order by all';
  expect(await lab.rows(daily)).toEqual([
    { export_date: '2026-11-20', total_count: 10 },
    { export_date: '2026-11-20', total_count: 20 },
    { export_date: '2026-11-21', total_count: 10 },
    { export_date: '2026-11-21', total_count: 21 },
  ]);
  const rejected = 'select export_date, record_key, raw_value, reason from rejects order by export_date';
  expect(await lab.rows(rejected)).toEqual(
    ['2026-11-20', '2026-11-21'].map((export_date) => ({
      export_date,
      record_key: 'T2',
      raw_value: 'n/a',
      reason: 'type',
    })),
  );
  await expectOneTypeAColumn(lab.folder);
  // Back to text: what was rejected is there again.
  await lab.run('2026-11-22T03:00:00Z', licenses('"10"', '"22"', '"n/a"'), typed('varchar'));
  expect(await lab.rows('select total_count from licenses_daily order by export_date, type')).toEqual(
    ['10', '20', 'n/a', '10', '21', 'n/a', '10', '22', 'n/a'].map((total_count) => ({ total_count })),
  );
  expect(await lab.rows(rejected)).toEqual([]);
  expect(
    await lab.rows(
      "select record_key, old_value, new_value from changes where table_name = 'licenses' order by changed_at",
    ),
  ).toEqual([
    { record_key: 'T1', old_value: '20', new_value: '21' },
    { record_key: 'T1', old_value: '21', new_value: '22' },
  ]);
});
