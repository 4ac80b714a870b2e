import { expect, it } from 'vitest';
import { TABLES } from '#lib/schema/tables.ts';
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
