import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

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
