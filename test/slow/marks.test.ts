import { expect, it } from 'vitest';
import { TABLES } from '#lib/schema/tables.ts';
import { lostValues } from '../dialects/support/lost-values.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const MARKS = /[\ufdd0-\ufdd2]/;

/** Values that need a mark before DuckDB reads them: at the top, in an object that is taken apart, and in JSON text. */
const HARD = [
  '1e400',
  '12345678901234567890123.123456789',
  '"half \\ud83d"',
  '[1e400,{"a":1e-400,"a":2,"a":"three"},"\\udc00 half",["\\ud83d",0.1234567890123456789]]',
  '{"deep":{"n":1e400,"n":2,"t":"\\ud800"},"list":[1E+400,-1e400,"\\ufdd0 1"]}',
];

const records = HARD.map((value, index) => `{"Type":"T${index}","Value":${value},"Any":{"Inner":${value}}}`);

it('no mark of ours is in any cell: numbers, repeated keys and half pairs in JSON text are themselves', async () => {
  await using lab = await signageLab({ [`${SIGNAGE}/Licenses`]: { body: `[${records.join(',')}]` } });
  const { status } = await lab.run('2026-11-20T03:00:00Z');
  expect(status).toBe('complete');
  for (const { name } of TABLES) {
    const rows = await lab.rows(`select * from ${name}`);
    expect(rows.filter((row) => MARKS.test(JSON.stringify(row)))).toEqual([]);
  }
  const [list] = await lab.rows("select value, any_inner from licenses where type = 'T3'");
  expect(list).toEqual({ value: HARD[3], any_inner: HARD[3] });
  expect(await lab.rows("select value from licenses where type = 'T2'")).toEqual([{ value: 'half \ufffd' }]);
  expect(
    await lab.rows("select column_name, raw_value, reason from rejects where record_key = 'T2' order by all"),
  ).toEqual(
    ['any_inner', 'value'].map((column_name) => ({
      column_name,
      raw_value: 'half \\ud83d',
      reason: 'precision',
    })),
  );
});

it('the second value of a key is in rejects, in objects that are taken apart too', async () => {
  const body = '[{"Type":"T","Twice":"first","Any":{"Twice":1,"Twice":[2],"Twice":3},"Twice":"second"}]';
  await using lab = await signageLab({ [`${SIGNAGE}/Licenses`]: { body } });
  await lab.run('2026-11-20T03:00:00Z');
  expect(await lab.rows('select twice, any_twice from licenses')).toEqual([{ twice: 'first', any_twice: 1 }]);
  expect(
    await lab.rows('select record_key, column_name, raw_value, reason from rejects order by all'),
  ).toEqual([
    { record_key: 'T', column_name: 'any_twice', raw_value: '3', reason: 'name' },
    { record_key: 'T', column_name: 'any_twice', raw_value: '[2]', reason: 'name' },
    { record_key: 'T', column_name: 'twice', raw_value: 'second', reason: 'name' },
  ]);
});

it.each([
  ['500 keys in one object', { Labels: Object.fromEntries(keys(500)) }],
  ['500 keys in the record itself', Object.fromEntries(keys(500))],
  ['30 objects of 30 keys', Object.fromEntries(keys(30).map(([key]) => [key, Object.fromEntries(keys(30))]))],
  [
    'objects whose keys differ by case alone',
    { a: { A: 1, a: 2, '': { x: 3 } }, A: { a: 'x', A: { a: 4, A: 5 } }, '': { x: 6, X: 7 } },
  ],
  ['objects 50 deep', { Deep: nested(50) }],
])('nothing is lost of %s', async (_, more) => {
  const texts = [0, 1].map((index) => JSON.stringify({ Type: `T${index}`, ...more }));
  const routes = { [`${SIGNAGE}/Licenses`]: { body: `[${texts.join(',')}]` } };
  // More than 300 members of a record need the word of whoever pays for so many columns.
  await using lab = await signageLab(routes, { signage: { maxColumns: 600 } });
  const { status } = await lab.run('2026-11-20T03:00:00Z');
  expect(status).toBe('complete');
  const served = texts.map((text) => ({ parentId: null, text }));
  expect(
    await lostValues({ ...lab, resource: 'licenses', source: 'berlin', served, date: '2026-11-20' }),
  ).toEqual([]);
});

function keys(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`Key${index}`, index]);
}

function nested(depth: number): object {
  return depth === 0 ? { bottom: 'x' } : { down: nested(depth - 1), at: depth };
}
