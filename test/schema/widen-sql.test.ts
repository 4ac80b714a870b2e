import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdbType } from '#lib/column-types.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { widenSql } from '#lib/schema/widen-sql.ts';
import { openCells } from './cells.ts';
import { decimalOf, HOLDS } from './reference.ts';
import { numberToken } from './tokens.ts';

let db: DuckDb;
beforeAll(async () => {
  db = await openCells();
});
afterAll(() => db[Symbol.dispose]());

test.each([
  ['bigint', 'decimal(38,9)'],
  ['bigint', 'double'],
  ['decimal(38,9)', 'double'],
] as const)('a %s is a %s exactly, or none', async (from, to) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(numberToken.filter(HOLDS[from]), { minLength: 1, maxLength: 40 }),
      async (tokens) => {
        const casts = tokens.map((token) => `('${plain(token)}'::${duckdbType(from)})`);
        const rows = await db.rows(
          `select ${widenSql({ from, to }, 'c')}::varchar as wide from (values ${casts.join(', ')}) as t(c)`,
        );
        const wide = rows.map((row) => (typeof row.wide === 'string' ? decimalOf(row.wide) : null));
        expect(wide).toEqual(tokens.map((token) => (HOLDS[to](token) ? decimalOf(token) : null)));
      },
    ),
    { numRuns: 50 },
  );
});

/** The number without exponent. */
function plain(token: string): string {
  const [digits = '0', power = '0'] = decimalOf(token).split('e');
  if (Number(power) >= 0) return digits + '0'.repeat(Number(power));
  const [sign, unsigned] = digits.startsWith('-') ? ['-', digits.slice(1)] : ['', digits];
  const padded = unsigned.padStart(1 - Number(power), '0');
  return `${sign}${padded.slice(0, Number(power))}.${padded.slice(Number(power))}`;
}
