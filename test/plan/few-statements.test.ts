import { afterAll, expect, it } from 'vitest';
import { sampleRecords } from '#lib/plan/meaning/sample-records.ts';
import { openCells } from '../schema/cells.ts';

const AT = '2026-11-20T03:00:00.000Z';

const db = await openCells();
afterAll(() => db[Symbol.dispose]());

it('R10: a listing that cannot be sampled takes no sample from the others', async () => {
  const toSample = (records: string) => ({
    slices: {
      sql: `select null::varchar as parent_id, 0 as pass, 0 as page, 0 as slice, now() as answered_at, ${records} as records`,
      counts: undefined,
    },
    field: 'Id',
    paths: [['Name']],
    areFew: true,
    at: AT,
  });
  const [first, broken, last] = [
    toSample(`'[{"Id":1,"Name":"Hof"}]'`),
    toSample(`error('too large')::varchar`),
    toSample(`'[{"Id":2,"Name":"Ulm"},{"Id":3,"Name":"Ulm"}]'`),
  ] as const;
  const found = await sampleRecords(db, [first, broken, last]);
  expect(found.get(first)).toMatchObject({ at: AT, ids: [expect.any(String)] });
  expect(found.get(last)?.ids).toHaveLength(2);
  expect(found.has(broken)).toBe(false);
});
