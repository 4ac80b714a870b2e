import { describe, expect, it } from 'vitest';
import { timeOf } from '../dialects/support/export-days.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const GROUPS = `${SIGNAGE}/AppGroups`;

const records = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ Id: from + index, Name: `G${from + index}` }));
const body = (value: unknown) => ({ body: JSON.stringify(value) });

const bare: Routes = { [GROUPS]: body(records(12)) };
const paged: Routes = {
  [GROUPS]: body({ data: records(6), cursor: 'c6', hasMore: true }),
  [`${GROUPS}?cursor=c6`]: body({ data: records(6, 7), cursor: null, hasMore: false }),
};
const map: Routes = { [GROUPS]: body(Object.fromEntries(records(12).map((record) => [record.Id, record]))) };

describe('a listing whose shape changes between two runs has all its rows, or fails and keeps what it had', () => {
  it.each<[string, Routes, Routes, 'whole' | string]>([
    ['a list moves into an envelope', bare, { [GROUPS]: body({ items: records(12) }) }, 'whole'],
    ['one answer becomes pages', bare, paged, 'whole'],
    [
      'pages lose what says that there are more',
      paged,
      { [GROUPS]: body({ data: records(6) }) },
      'SHAPE_CHANGED',
    ],
    ['a list becomes a map', bare, map, 'whole'],
  ])('%s', async (_, before, after, end) => {
    await using lab = await signageLab(before);
    const first = await lab.run(timeOf(0));
    expect(first.sources[0]?.status).toBe('complete');
    const { sources } = await lab.run(timeOf(1), after);
    const [row] = await lab.rows("select outcome, error_code from outcomes where resource = 'app_groups'");
    if (end === 'whole') {
      expect(row).toEqual({ outcome: 'ok', error_code: null });
      expect(sources[0]?.drift).toEqual([]);
    } else {
      expect(row).toEqual({ outcome: 'failed', error_code: end });
      expect(sources[0]?.error?.code).toBe(end);
    }
    expect(await lab.rows('select count(*) n from app_groups')).toEqual([{ n: 12 }]);
    expect(await lab.rows("select * from changes where change <> 'changed'")).toEqual([]);
  });
});

it('records that lose the field that told them apart are not removed and added: the listing fails, and names the setting', async () => {
  const licences = (key: string) => ({
    [`${SIGNAGE}/Licenses`]: {
      body: JSON.stringify(['Basic', 'Pro'].map((name) => ({ [key]: name, Count: 3 }))),
    },
  });
  await using lab = await signageLab(licences('Type'));
  await lab.run(timeOf(0));
  const { sources } = await lab.run(timeOf(1), licences('LicenseType'));
  expect(sources[0]).toMatchObject({ status: 'failed', error: { code: 'SHAPE_CHANGED' } });
  expect(sources[0]?.error?.message).toContain('Set resources.licenses.id to the field');
  expect(await lab.rows('select record_key from licenses order by 1')).toEqual([
    { record_key: 'Basic' },
    { record_key: 'Pro' },
  ]);
  expect(await lab.rows("select * from changes where change <> 'changed'")).toEqual([]);
  const named = { signage: { resources: { licenses: { id: 'LicenseType' } } } };
  const third = await lab.run(timeOf(2), licences('LicenseType'), named);
  expect(third.status).toBe('complete');
  expect(await lab.rows("select * from changes where change in ('added', 'removed')")).toEqual([]);
});
