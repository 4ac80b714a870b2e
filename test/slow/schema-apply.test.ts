import { expect, it } from 'vitest';
import { applyType } from '#lib/repair/apply-type.ts';
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
