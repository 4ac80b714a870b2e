import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { mayNeedMending, mend } from '#lib/api/body/mend.ts';
import { cutSlices } from '#lib/api/records/slices.ts';
import { DUPLICATE_MARK, HALF_MARK, NUMBER_MARK } from '#lib/lake/raw/marks.ts';
import { decimalOf } from '../schema/reference.ts';
import { bodyOf } from './support/body-of.ts';
import { foundIn } from './support/found-records.ts';

type Ask = (sql: string, ...values: string[]) => Promise<readonly unknown[]>;
let ask: Ask;

beforeAll(async () => {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  ask = async (sql, ...values) =>
    (await connection.runAndReadAll(sql, values)).getRows().map(([value]) => value);
});

/** The values of member `a` as SQL over raw reads them. */
async function read(body: string, type = 'VARCHAR'): Promise<readonly unknown[]> {
  const whole = await bodyOf(body, { maxDepth: 30_000 });
  const [slice] = [...cutSlices(whole, foundIn(whole).place)];
  const text = slice?.mended ?? slice?.body.toString() ?? '';
  return ask(`select unnest(from_json(?::varchar, '[{"a":"${type}"}]')).a::varchar`, text);
}

describe('numbers', () => {
  const HELD = '0 -1 17 0.1 1.50 1e5 1E+2 1e22 123456789012345678901234567890 0.30000000000000004';
  test.each(HELD.split(' '))('%s is held by DuckDB', async (token) => {
    const body = `[{"a":${token}}]`;
    expect(mend(body)).toBeNull();
    const [value] = await read(body);
    expect(Number(value)).toBe(Number(token));
    if (/^-?\d+$/.test(token)) expect(value).toBe(token);
  });

  const NOT_HELD =
    '12345678901234567890123.123456789 9007199254740993.0 1234567890123456.7 0.1234567890123456789 1e400 -1e400 1e-400 12345678901234567890e-5';
  test.each(NOT_HELD.split(' '))('%s is not, and reaches SQL as its token behind the mark', async (token) => {
    const body = `[{"b":"x","a":${token},"c":[{"d":${token}}]}]`;
    expect(await read(body)).toEqual([`${NUMBER_MARK}${token}`]);
    const [unmended] = await ask(`select unnest(from_json(?::varchar, '[{"a":"VARCHAR"}]')).a`, body);
    // DuckDB keeps the text of what no double can be near; it is marked all the same, so that one rule holds.
    if (!/e400/.test(token)) expect(unmended).not.toBe(token);
  });

  test('whatever is not mended is read exactly', async () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^\\d{1,${max}}$`));
    const optional = (sign: string, part: fc.Arbitrary<string | number>) =>
      fc.option(part).map((found) => (found === null ? '' : `${sign}${found}`));
    const whole = digits(20).map((text) => text.replace(/^0+(?=\d)/, ''));
    const exponent = optional('e', fc.integer({ min: -330, max: 330 }));
    const token = fc.tuple(fc.constantFrom('', '-'), whole, optional('.', digits(20)), exponent);
    const property = fc.asyncProperty(token, async (parts) => {
      const number = parts.join('');
      const [value] = await read(`[{"a":${number}}]`);
      expect(decimalOf(String(value).replace(NUMBER_MARK, ''))).toBe(decimalOf(number));
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describe('strings', () => {
  test('a lone surrogate becomes its digits behind a mark; DuckDB would refuse the whole query', async () => {
    const body = '[{"a":"x\\ud800y"},{"a":"\\udc00"},{"a":"\\ud83d\\ude00"}]';
    const unmended = ask(`select from_json(?::varchar, '[{"a":"VARCHAR"}]')::varchar`, body);
    await expect(unmended).rejects.toThrow(/surrogate/);
    expect(await read(body)).toEqual([`x${HALF_MARK}d800y`, `${HALF_MARK}dc00`, '😀']);
  });

  test('pairs of surrogate escapes stay as they are', () => {
    expect(mayNeedMending('[{"a":"\\ud83d\\ude00"}]')).toBe(true);
    expect(mend('[{"a":"\\ud83d\\ude00"}]')).toBeNull();
  });

  test('a NUL escape is read by DuckDB as it is', async () => {
    expect(mend('[{"a":"x\\u0000y"}]')).toBeNull();
    expect(await read('[{"a":"x\\u0000y"}]')).toEqual(['x\0y']);
  });

  test('our own marks cannot come from data', async () => {
    const marked = await read(`[{"a":"${NUMBER_MARK}1"},{"a":"\\ufdd01"},{"a":"${DUPLICATE_MARK}"}]`);
    expect(marked).toEqual(['01', '01', '1'].map((rest) => `${HALF_MARK}fdd${rest}`));
  });
});

describe('keys', () => {
  test('of repeated keys the first stays, the others get the mark and their ordinal', async () => {
    const body = '[{"a":1,"b":{"c":1,"c":2},"a":2,"\\u0061":3},{"a":4}]';
    expect(await read(body)).toEqual(['1', '4']);
    const again = (name: string, count: number) => ({ [`${name}${DUPLICATE_MARK}${count}`]: count });
    const first = { a: 1, b: { c: 1, ...again('c', 2) }, ...again('a', 2), ...again('a', 3) };
    expect(JSON.parse(mend(body) ?? '')).toEqual([first, { a: 4 }]);
  });

  test('a body whose only fault is a repeated key is found and mended', async () => {
    const whole = await bodyOf('{"data":[{"a":1,"a":2}]}');
    const [slice] = [...cutSlices(whole, foundIn(whole).place)];
    expect(slice?.mended).toBe(`[{"a":1,"a${DUPLICATE_MARK}2":2}]`);
  });

  test('a key with a lone surrogate is mended like a value', async () => {
    expect(await read('[{"\\ud800":1,"\\udbff":2,"a":3}]')).toEqual(['3']);
    expect(JSON.parse(mend('[{"\\ud800":1,"\\udbff":2}]') ?? '')).toEqual([
      { '\uFFFD': 1, [`\uFFFD${DUPLICATE_MARK}2`]: 2 },
    ]);
  });
});

test('mending any JSON text changes nothing that JSON.parse can see, save what it is for', () => {
  let mendings = 0;
  // JSON that is made of values has nothing to fix; the values next to it may.
  const besides = fc.constantFrom('1', '{"a":1,"a":2}', '"\\ud800"');
  const property = fc.property(fc.json({ stringUnit: 'grapheme' }), besides, (text, beside) => {
    const mended = mend(`[${text},${beside}]`);
    if (mended === null) return;
    mendings += 1;
    expect(mended).toMatch(new RegExp(`[${NUMBER_MARK}${DUPLICATE_MARK}${HALF_MARK}\uFFFD]`));
  });
  fc.assert(property);
  expect(mendings).toBeGreaterThan(0);
});

test('one pattern tells whether a text can need mending', () => {
  const values = '[{"a":1.5,"b":"2020-03-09T14:07:53.1234567Z","c":12345678901234567890}]';
  const harmless = [values, '[{"a":"1e5"}]', '[{"a":"3e4f-5"}]'];
  const numbers = ['[{"a":1e5}]', '[{"a":[1234567890.1234567]}]', '[{"a": -1E400}]'];
  const suspect = [...numbers, '["\\uD800"]', `["${NUMBER_MARK}"]`, '["\\uFDD1"]'];
  expect(harmless.map(mayNeedMending)).toEqual(harmless.map(() => false));
  expect(suspect.map(mayNeedMending)).toEqual(suspect.map(() => true));
});
