import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const licenses = (key: string, ...values: string[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: `[${values.map((value, index) => `{"Type":"T${index}","${key}":${value}}`).join(',')}]`,
  },
});
const asking = (column: string, type: string) => ({
  signage: { resources: { licenses: { columns: { [column]: { type } } } } },
});
const REJECTS = 'select record_key, column_name, raw_value, reason from rejects order by all';

it('a column that the config calls boolean has 0 and 1 as false and true, and everything else in rejects', async () => {
  const routes = licenses('IsOn', '0', '1', '"1"', '"False"', '1.0', 'null', '2', '""');
  await using lab = await signageLab(routes, asking('is_on', 'boolean'));
  await lab.run('2026-11-20T03:00:00Z');
  expect(await lab.rows('select is_on from licenses order by type')).toEqual(
    [false, true, true, false, true, null, null, null].map((is_on) => ({ is_on })),
  );
  const rejected = { column_name: 'is_on', record_key: 'T6', raw_value: '2', reason: 'type' };
  expect(await lab.rows(REJECTS)).toEqual([
    rejected,
    { ...rejected, record_key: 'T7', raw_value: '', reason: 'sentinel' },
  ]);
  // It stays so when the setting is gone: the type is locked.
  await lab.run('2026-11-21T03:00:00Z', licenses('IsOn', ...Array.from({ length: 8 }, () => '1')), {});
  expect(await lab.rows('select distinct is_on from licenses')).toEqual([{ is_on: true }]);
});

const BODY = `[{"Type":"A","Size":1.5,"Text":"x","None":NaN,"List":[1,NaN],"In":{"Deep":-Infinity}},
  {"Type":"B","Size":NaN,"Text":Infinity,"None":-Infinity,"List":[2],"In":{"Deep":3}}]`;

it('NaN and Infinity are null in their cells and stand in rejects, and all else of the listing is published', async () => {
  await using lab = await signageLab({ [`${SIGNAGE}/Licenses`]: { body: BODY } });
  const { status } = await lab.run('2026-11-20T03:00:00Z');
  expect(status).toBe('complete');
  expect(await lab.rows('select type, size, text, list, in_deep from licenses order by type')).toEqual([
    { type: 'A', size: 1.5, text: 'x', list: '[1,NaN]', in_deep: null },
    { type: 'B', size: null, text: null, list: '[2]', in_deep: 3 },
  ]);
  const rejected = (record_key: string, column_name: string, raw_value: string) => ({
    ...{ record_key, column_name, raw_value, reason: 'sentinel' },
  });
  expect(
    await lab.rows('select record_key, column_name, raw_value, reason from rejects order by all'),
  ).toEqual([
    rejected('A', 'in_deep', '-Infinity'),
    rejected('A', 'none', 'NaN'),
    rejected('B', 'none', '-Infinity'),
    rejected('B', 'size', 'NaN'),
    rejected('B', 'text', 'Infinity'),
  ]);
});
