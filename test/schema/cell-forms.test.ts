import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { duckdbType } from '#lib/column-types.ts';
import { cellForm, valueSql } from '#lib/schema/cells/cast-sql.ts';
import { cellTextSql } from '#lib/schema/cells/cell-text-sql.ts';
import { jsonSql } from '#lib/schema/cells-sql.ts';
import { decideColumn } from '#lib/schema/columns/decide-column.ts';
import { baseKeySql, idTextSql } from '#lib/schema/record-key.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { cellsOf, openCells, profileOf, putValues } from './cells.ts';
import { decimalOf, HOLDS } from './reference.ts';
import { numberToken } from './tokens.ts';

const db = await openCells();
afterAll(() => db[Symbol.dispose]());

const NUMBERS = ['bigint', 'decimal(38,9)', 'double'] as const;
const PAIRS = NUMBERS.flatMap((from) => NUMBERS.filter((to) => to !== from).map((to) => ({ from, to })));

test.each(PAIRS)('a $from is the same number as $to, or none', async ({ from, to }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(numberToken.filter(HOLDS[from]), { minLength: 1, maxLength: 40 }),
      async (tokens) => {
        const cells = tokens.map((token, at) => `(${at}, '${written(token, from)}'::${duckdbType(from)})`);
        const relation = `select c as cell from (values ${cells.join(', ')}) as t(row, c) order by row`;
        const value = jsonSql(cellTextSql('cell', from), from);
        const wide = valueSql({ type: to, reading: { formats: [] } }, 'value');
        const rows = await db.rows(
          `select (${wide})::varchar as wide from (select ${value} as value from (${relation}))`,
        );
        const are = rows.map((row) => (typeof row.wide === 'string' ? decimalOf(row.wide) : null));
        expect(are).toEqual(tokens.map((token) => (HOLDS[to](token) ? decimalOf(token) : null)));
      },
    ),
    { numRuns: 50 },
  );
});

/** A double as it is, the others without exponent. */
function written(token: string, type: (typeof NUMBERS)[number]): string {
  return type === 'double' ? token : plain(token);
}

/** The number without exponent. */
function plain(token: string): string {
  const [digits = '0', power = '0'] = decimalOf(token).split('e');
  if (Number(power) >= 0) return digits + '0'.repeat(Number(power));
  const [sign, unsigned] = digits.startsWith('-') ? ['-', digits.slice(1)] : ['', digits];
  const padded = unsigned.padStart(1 - Number(power), '0');
  return `${sign}${padded.slice(0, Number(power))}.${padded.slice(Number(power))}`;
}

describe('times that are written in a way of their own are read like others', () => {
  const MS = Date.parse('2026-11-20T13:40:47Z');
  test.each([
    ['20261120T134047Z', MS],
    ['20261120T154047+0200', MS],
    ['20261120T134047.250Z', MS + 250],
    ['2026-11-20 13:40:47 UTC', MS],
    ['2026-11-20 15:40:47 GMT+02:00', MS],
    ['2026-11-20T13:40:47GMT', MS],
    ['2026/11/20 13:40:47 +0000', MS],
    ['2026/11/20 14:40:47 +01:00', MS],
    ['Fri Nov 20 2026 13:40:47 GMT+0000 (Coordinated Universal Time)', MS],
    ['Fri Nov 20 2026 14:40:47 GMT+0100', MS],
    [MS / 1000 + 0.25, MS + 250],
    [MS / 1000 + 0.0625, MS + 62],
  ])('%s', async (text, ms) => {
    await putValues(db, [JSON.stringify(text)]);
    const profile = await profileOf(db);
    const profiles = { berlin: profile };
    const { type, readings, rejects } = decideColumn({ table: 'players', name: 'seen', profiles });
    expect(type).toBe('timestamp');
    const [cell] = await cellsOf(db, cellForm({ type, readings, rejects }, 'berlin'));
    expect(Date.parse(`${cell?.text?.replace(' ', 'T')}Z`)).toBe(ms);
  });

  test.each([
    '20261320T134047Z',
    '2026/13/20 13:40:47 +0000',
    '2026-11-20 13:40:47 CET',
    '12345678T12345Z',
    '3/12/2020/1',
  ])('%s is no time', async (text) => {
    await putValues(db, [JSON.stringify(text)]);
    expect((await profileOf(db)).counts).toEqual({ text: 1 });
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
