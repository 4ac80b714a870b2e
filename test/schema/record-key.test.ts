import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { baseKeySql, idTextSql } from '#lib/schema/record-key.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { openCells } from './cells.ts';

let db: DuckDb;
beforeAll(async () => {
  db = await openCells();
});
afterAll(() => db[Symbol.dispose]());
test('no two (parent, id) give one key, and a key is in one form only', async () => {
  const text = fc.oneof(
    fc.constantFrom('a', 'a/b', 'a%2Fb', '%', '#2', 'a#2', '/', 'ä b', '..', '?'),
    fc.string({ minLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(text, text), { minLength: 2, selector: (pair) => JSON.stringify(pair) }),
      async (pairs) => {
        const rows = pairs.map(
          ([parent, id]) => `(${quoteLiteral(parent)}, ${quoteLiteral(JSON.stringify(id))})`,
        );
        const key = baseKeySql(
          { kind: 'field', field: 'Id' },
          { parent: 'parent', id: idTextSql('id'), record: 'id' },
        );
        const keys = await db.rows(`select ${key} as key from (values ${rows.join(', ')}) as t(parent, id)`);
        expect(new Set(keys.map((row) => row.key)).size).toBe(pairs.length);
        // What follows a # is the number of a duplicate, and nothing else.
        for (const row of keys) expect(row.key).not.toContain('#');
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['"a/b#c%"', "'4711'", '4711/a/b%23c%25'],
  ['12345678901234567890', "'a/b'", 'a%2Fb/12345678901234567890'],
  ['7', null, '7'],
])('the key of %s below %s is %s', async (id, parent, key) => {
  const sql = baseKeySql({ kind: 'field', field: 'Id' }, { parent, id: idTextSql('id'), record: 'id' });
  expect(await db.rows(`select ${sql} as key from (select ${quoteLiteral(id)} as id)`)).toEqual([{ key }]);
});
