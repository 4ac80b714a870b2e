import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { COLUMN_TYPES, type ColumnType } from '#lib/column-types.ts';
import { cellForm } from '#lib/schema/cells/cast-sql.ts';
import { FORMAT_NAMES, type Format, formatForm, type Reading } from '#lib/schema/cells/formats.ts';
import { fitOf } from '#lib/schema/columns/column-fit.ts';
import { decideColumn } from '#lib/schema/columns/decide-column.ts';
import { mergeProfiles } from '#lib/schema/columns/value-classes.ts';
import { type Cell, cellsOf, openCells, profileOf, profilesOfParts, putValues } from './cells.ts';
import { EPOCH_FORMATS, type Expected, expectedOf } from './expected-cell.ts';
import { decimalOf, isNumberToken } from './reference.ts';
import { anyToken, numberToken, TELLING_NUMBERS, TELLING_TEXTS } from './tokens.ts';

const db = await openCells();
afterAll(() => db[Symbol.dispose]());

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const;
const EVERYTHING = [
  ...[...TELLING_TEXTS.map((text) => JSON.stringify(text)), ...TELLING_NUMBERS],
  ...['null', 'true', 'false', '[1,2]', '{"a":1}'],
];

/** A column's form; `rejects` only where a decision counted them. */
type Form = Parameters<typeof cellsOf>[1];

function actualOf(type: ColumnType, token: string, { text, reason }: Cell): Expected {
  if (text === null) return { value: null, reason };
  if (type === 'timestamp' || type === 'date')
    return {
      value: String(Date.parse(`${text.replace(' ', 'T')}${type === 'date' ? 'T00:00:00Z' : 'Z'}`)),
      reason,
    };
  const isNumber =
    type !== 'varchar' && type !== 'boolean' ? true : type === 'varchar' && isNumberToken(token);
  return { value: isNumber ? decimalOf(text) : text, reason };
}

/** Returns the cells that it has compared. */
async function expectCells(tokens: readonly string[], form: Form) {
  const cells = await cellsOf(db, form);
  const actual = tokens.map((token, index) => ({
    token,
    ...actualOf(form.type, token, cells[index] ?? { text: null, reason: 'none' }),
  }));
  expect(actual).toEqual(tokens.map((token) => ({ token, ...expectedOf(form, token) })));
  return cells;
}

const orders: readonly (readonly Format[])[] = [
  FORMAT_NAMES.filter((format) => formatForm(format).order !== 'month'),
  FORMAT_NAMES.filter((format) => formatForm(format).order !== 'day'),
  ['iso'],
  [],
];

describe('a typed cell', () => {
  const [home, ...abroad] = ZONES;
  const readings: readonly Reading[] = [
    ...orders.map((formats) => ({ formats, timeZone: home })),
    { formats: EPOCH_FORMATS.map(([format]) => format), readsDigitsInText: true },
    { formats: ['unix-nanoseconds'] },
    { formats: ['iso', 'rfc1123'], zeroTime: 'never' },
    { formats: [], readsZeroAndOne: true },
  ];
  test.each(readings)('is what a reference reads: $formats.length formats', async (reading) => {
    await putValues(db, EVERYTHING);
    for (const type of COLUMN_TYPES) await expectCells(EVERYTHING, { type, reading });
  });

  // A zone says something of times alone.
  const elsewhere = orders
    .filter((formats) => formats.length > 0)
    .flatMap((formats) => abroad.map((timeZone) => ({ formats, timeZone })));
  test.each(elsewhere)('is what a reference reads: $formats.length formats, $timeZone', async (reading) => {
    await putValues(db, EVERYTHING);
    await expectCells(EVERYTHING, { type: 'timestamp', reading });
  });

  test('is the JSON value exactly, or the value is rejected, whatever the values', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyToken, { minLength: 1, maxLength: 160 }),
        fc.constantFrom(...COLUMN_TYPES),
        fc.constantFrom(...readings, ...elsewhere),
        async (tokens, type, reading) => {
          await putValues(db, tokens);
          await expectCells(tokens, { type, reading });
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('the decision', () => {
  const request = { table: 'players' as const, name: 'last_access', timeZones: { berlin: 'Europe/Berlin' } };
  const values = fc.oneof(
    fc.array(anyToken, { maxLength: 60 }),
    fc.array(numberToken, { maxLength: 60 }),
    fc.array(fc.constantFrom(...EVERYTHING.filter((token) => token.startsWith('"2020-03'))), {
      maxLength: 20,
    }),
  );

  test('leaves every value in its cell or in rejects, as the profile counts them', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.boolean(), async (tokens, isKnown) => {
        if (tokens.length === 0) return;
        await putValues(db, tokens);
        const profile = await profileOf(db);
        const isEmptyKnown = { berlin: isKnown };
        const decision = decideColumn({ ...request, profiles: { berlin: profile }, isEmptyKnown });
        const form = cellForm(decision, 'berlin');
        const cells = await expectCells(tokens, form);
        const counted = (reason: string) => cells.filter((cell) => cell.reason === reason).length;
        expect(counted('sentinel')).toBe(form.rejects?.sentinel);
        const gaps = counted('type') - (form.rejects?.type ?? 0);
        expect(gaps).toBeGreaterThanOrEqual(0);
        const inCells = cells.filter((cell) => cell.text !== null).length;
        expect(inCells + gaps).toBe(
          fitOf(decision.type, {
            ...{ source: 'berlin', profile, reading: form.reading },
            ...{ timeZone: undefined, setting: undefined, locked: undefined },
          }),
        );
      }),
      { numRuns: 20, examples: [[['""', '"0001-01-01T00:00:00Z"'], true]] },
    );
  });

  test('does not depend on how the run is cut', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 2, max: 5 }), async (tokens, parts) => {
        if (tokens.length === 0) return;
        await putValues(db, tokens);
        const whole = await profileOf(db);
        const cut = await profilesOfParts(db, parts);
        const merged = cut.reduceRight(mergeProfiles);
        expect(merged).toEqual(whole);
        const decided = decideColumn({ ...request, profiles: { berlin: whole } });
        expect(decideColumn({ ...request, profiles: { berlin: merged } })).toEqual(decided);
      }),
      { numRuns: 12 },
    );
  });
});
