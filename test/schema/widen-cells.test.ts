import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdbType } from '#lib/column-types.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { valueSql } from '#lib/schema/cells/cast-sql.ts';
import { cellTextSql } from '#lib/schema/cells/cell-text-sql.ts';
import { jsonSql } from '#lib/schema/cells-sql.ts';
import { openCells } from './cells.ts';
import { decimalOf, HOLDS } from './reference.ts';
import { numberToken } from './tokens.ts';

let db: DuckDb;
beforeAll(async () => {
  db = await openCells();
});
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
