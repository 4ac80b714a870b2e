import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import {
  baseKeySql,
  candidateCountsSql,
  candidateNames,
  constantKey,
  distinctRecordsSql,
  idTextSql,
  keyCandidates,
  uniqueField,
} from '#lib/schema/record-key.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { openCells } from './cells.ts';

let db: DuckDb;
beforeAll(async () => {
  db = await openCells();
});
afterAll(() => db[Symbol.dispose]());

const players = resourceNamed('players');
const screens = resourceNamed('screens');

test('candidates are those of the resource, best first, whatever their case', () => {
  const fields = ['Name', 'number', 'SCREENID', 'id', 'Status', 'Id', 'PlayerId', '$key'];
  expect(keyCandidates({ resource: screens, fields })).toEqual([
    'Id',
    'id',
    'SCREENID',
    '$key',
    'number',
    'Name',
  ]);
  expect(keyCandidates({ resource: players, fields: ['Code', 'player_id', 'PlayerId'] })).toEqual([
    'PlayerId',
    'player_id',
    'Code',
  ]);
  expect(candidateNames(resourceNamed('backup_storages'))).toContain('storage_id');
});

test('candidates may have any sign between their words, but $key and $id are other names', () => {
  const fields = ['player.id', 'player-id', 'Player Id', 'player--id', '$id', '-id', 'Key', '$key'];
  expect(keyCandidates({ resource: players, fields })).toEqual([
    'Player Id',
    'player-id',
    'player.id',
    'Key',
    '$key',
  ]);
});

/** The field that is the key of records of JSON, by what the SQL counts of their fields. */
async function keyOf(
  records: readonly { parent: string | null; record: Record<string, unknown> }[],
  fields: readonly string[],
) {
  const rows = records.map(
    ({ parent, record }) =>
      `(${parent === null ? 'null' : quoteLiteral(parent)}, ${quoteLiteral(JSON.stringify(record))})`,
  );
  await db.run(`create or replace table v as select * from (values ${rows.join(', ')}) as t(parent, record)`);
  const parent = records[0]?.parent === null ? null : 'parent';
  const id = (field: string) => idTextSql(`json_extract(record, ${quoteLiteral(`$."${field}"`)})::varchar`);
  const sql = [
    ['count(*)', distinctRecordsSql({ parent, record: 'record' })],
    ...fields.map((field) => candidateCountsSql({ parent, id: id(field) })),
  ];
  const [row = {}] = await db.rows(
    `select ${sql
      .flat()
      .map((each, index) => `(${each})::double as c${index}`)
      .join(', ')} from v`,
  );
  const count = (index: number) => Number(row[`c${index}`]);
  const candidates = fields.map((field, index) => ({
    field,
    present: count(2 + 2 * index),
    distinct: count(3 + 2 * index),
  }));
  return uniqueField(candidates, { records: count(0), distinct: count(1) });
}

describe('the key', () => {
  const screen = (parent: string, record: Record<string, unknown>) => ({ parent, record });

  test('is the first field that all have and that is unique below each parent: two screens under one id', async () => {
    const records = [
      screen('111', { Id: 3081, Number: 1 }),
      screen('111', { Id: 3081, Number: 2 }),
      screen('112', { Id: 3081, Number: 1 }),
    ];
    expect(await keyOf(records, ['Id', 'Number'])).toBe('Number');
  });

  test('is not lost to a record that came twice, exactly the same', async () => {
    const records = [screen('1', { Id: 1 }), screen('1', { Id: 1 }), screen('1', { Id: 2 })];
    expect(await keyOf(records, ['Id'])).toBe('Id');
  });

  test.each([[{}], [{ Id: null }], [{ Id: '' }], [{ Id: 1.5 }], [{ Id: true }], [{ Id: { a: 1 } }]])(
    'is no field where a record has no id: %j',
    async (record) => {
      expect(await keyOf([screen('1', { Id: 1 }), screen('1', record)], ['Id'])).toBeUndefined();
    },
  );

  test('of a price list is its word', () => {
    expect(constantKey(resourceNamed('backup_pricing'))).toEqual({ kind: 'constant', value: 'pricing' });
  });
});

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
