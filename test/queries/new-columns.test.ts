import { expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { signageViewLab } from './view-lab.ts';

const players = [{ Id: 1, Name: 'P1', LastAccess: '2026-11-22T02:00:00Z' }];
const screens = { 1: [{ Id: 1, IsOn: true, LastUpdate: '2026-11-22T02:00:00Z' }] };

it.each([
  ['no run was answered before', { refused: true }, []],
  ['no run could read the screens before', { players, screens: 'denied' }, []],
  [
    'an earlier run read them without the field',
    { players, screens: { 1: [{ Id: 1, IsOn: true }] } },
    ['last_update'],
  ],
] as const)('a column is new only in a table that was read before: %s', async (_, before, expected) => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', before);
  await lab.run('2026-11-22T03:00:00Z', { players, screens });
  const found = await lab.cells(`select column_name from data_quality where finding = 'new column'`);
  expect(found.flat()).toEqual(expected);
  expect(await lab.cells('select new_columns from export_health')).toEqual([[expected.length]]);
});
