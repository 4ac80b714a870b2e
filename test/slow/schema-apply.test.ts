import { expect, it } from 'vitest';
import { applyType, previewType } from '#lib/repair/apply-type.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';

const licenses = (...totals: string[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: `[${totals.map((total, index) => `{"Type":"T${index}","TotalCount":${total}}`).join(',')}]`,
  },
});

const TOTALS = 'select export_date, type, total_count from licenses_daily order by all';

it('strings that came later are null and drift until schema apply recasts both days', async () => {
  await using lab = await signageLab(licenses('10', '20'));
  await lab.run('2026-11-20T03:00:00Z');
  const drifted = await lab.run('2026-11-21T03:00:00Z', licenses('"ten"', '"many"'));
  expect(drifted.sources[0]?.drift.join()).toContain('licenses.total_count');
  expect(await lab.rows('select count(total_count) n from licenses')).toEqual([{ n: 0 }]);

  await using services = operatorServices(lab);
  const said = await lab.rows('select * from changes order by all');
  await applyType({ table: 'licenses', column: 'total_count', type: 'varchar' }, services);
  expect(await lab.rows(TOTALS)).toEqual([
    { export_date: '2026-11-20', type: 'T0', total_count: '10' },
    { export_date: '2026-11-20', type: 'T1', total_count: '20' },
    { export_date: '2026-11-21', type: 'T0', total_count: 'ten' },
    { export_date: '2026-11-21', type: 'T1', total_count: 'many' },
  ]);
  expect(await lab.rows('select * from rejects')).toEqual([]);
  // What the runs said of the records stays said, in the types of their time.
  expect(said.map(({ old_value, new_value }) => [old_value, new_value])).toEqual([
    ['10', null],
    ['20', null],
  ]);
  expect(await lab.rows('select * from changes order by all')).toEqual(said);
  await expectOneTypeAColumn(lab.folder);

  // Later runs keep what the operator decided.
  const later = await lab.run('2026-11-22T03:00:00Z', licenses('30', '"many"'));
  expect(later.sources[0]?.drift).toEqual([]);
  expect(await lab.rows('select type, total_count from licenses order by type')).toEqual([
    { type: 'T0', total_count: '30' },
    { type: 'T1', total_count: 'many' },
  ]);
});

it('of a column of nothing but year 1 the kept answers are read: as text they are cells, as numbers rejects', async () => {
  const unset = licenses('"0001-01-01T00:00:00Z"');
  await using lab = await signageLab(unset);
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', unset);
  const rejected = 'select export_date, raw_value, reason from rejects order by all';
  const sentinel = { raw_value: '0001-01-01T00:00:00Z', reason: 'sentinel' };
  expect(await lab.rows(rejected)).toMatchObject([sentinel, sentinel]);
  await using services = operatorServices(lab);

  const asText = { table: 'licenses', column: 'total_count', type: 'varchar' } as const;
  expect((await previewType(asText, services)).cells).toMatchObject({
    days: 2,
    filled: 2,
    changed: 0,
    emptied: 0,
  });
  await applyType({ table: 'licenses', column: 'total_count', type: 'double' }, services);
  expect(await lab.rows(TOTALS)).toMatchObject([{ total_count: null }, { total_count: null }]);
  expect(await lab.rows(rejected)).toMatchObject([
    { ...sentinel, reason: 'type' },
    { ...sentinel, reason: 'type' },
  ]);
  await applyType(asText, services);
  const cell = { total_count: '0001-01-01T00:00:00Z' };
  expect(await lab.rows(TOTALS)).toMatchObject([cell, cell]);
  expect(await lab.rows(rejected)).toEqual([]);
});

it.each([
  ['null', 'null'],
  ['{}', '{"A":1}'],
])(
  'a column that has had no value yet, but %s and %s, takes a type for its first one',
  async (first, second) => {
    const players = (value: string) => ({ [`${SIGNAGE}/Players`]: { body: `[{"Id":1,"Total":${value}}]` } });
    await using lab = await signageLab(players(first));
    await lab.run('2026-11-20T03:00:00Z');
    await lab.run('2026-11-21T03:00:00Z', players(second));
    await using services = operatorServices(lab);
    const wanted = { table: 'players', column: 'total', type: 'double' } as const;
    expect((await previewType(wanted, services)).cells).toMatchObject({
      kept: 0,
      changed: 0,
      emptied: 0,
      filled: 0,
    });
    await applyType(wanted, services);
    await applyType({ ...wanted, type: 'decimal(38,9)' }, services);
    await lab.run('2026-11-22T03:00:00Z', players('7'));
    expect(await lab.rows('select export_date, total from players_daily order by all')).toEqual([
      { export_date: '2026-11-20', total: null },
      { export_date: '2026-11-21', total: null },
      { export_date: '2026-11-22', total: 7 },
    ]);
    await expectOneTypeAColumn(lab.folder);
  },
);
