import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { COLUMN_TYPES, type ColumnType } from '#lib/column-types.ts';
import { cellForm } from '#lib/schema/cells/cast-sql.ts';
import { FORMAT_NAMES, type Format, formatForm, type Reading } from '#lib/schema/cells/formats.ts';
import { fitOf } from '#lib/schema/columns/column-fit.ts';
import { decideColumn } from '#lib/schema/columns/decide-column.ts';
import { mergeProfiles } from '#lib/schema/columns/value-classes.ts';
import { type Cell, cellsOf, openCells, profileOf, profilesOfParts, putValues } from './cells.ts';
import { decimalOf, HOLDS, instantOf, isNumberToken, momentsOf } from './reference.ts';
import { anyToken, numberToken, TELLING_NUMBERS, TELLING_TEXTS } from './tokens.ts';

const db = await openCells();
afterAll(() => db[Symbol.dispose]());

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const;
const EVERYTHING = [
  ...TELLING_TEXTS.map((text) => JSON.stringify(text)),
  ...TELLING_NUMBERS,
  'null',
  'true',
  'false',
  '[1,2]',
  '{"a":1}',
];

/** What must be in a cell: a number by its value, a moment by its milliseconds, everything else by its text. */
interface Expected {
  readonly value: string | null;
  readonly reason: string | null;
}

/** A column's form; `rejects` only where a decision counted them. */
type Form = Parameters<typeof cellsOf>[1];

const NULL: Expected = { value: null, reason: null };
const held = (value: string, reason: string | null = null): Expected => ({ value, reason });
const rejected = (reason: string): Expected => ({ value: null, reason });

/** Half a surrogate pair, and the characters that stand for what JSON of DuckDB cannot hold. */
const UNFIT = /[\uD800-\uDFFF\uFDD0-\uFDD2]/gu;

function expectedOf({ type, reading, rejects }: Form, token: string): Expected {
  // An object without members says as much.
  if (token === 'null' || token === '{}') return NULL;
  const text: string | undefined = token.startsWith('"') ? String(JSON.parse(token)) : undefined;
  if (type === 'varchar' && text !== undefined) {
    const whole = text.replace(UNFIT, '\uFFFD');
    return held(whole, whole !== text && rejects !== undefined ? 'precision' : null);
  }
  if (type === 'varchar') return held(isNumberToken(token) ? decimalOf(token) : token);
  if (text === '') return rejected('sentinel');
  if (type === 'boolean') {
    const word = (text ?? token).toLowerCase();
    if (['true', 'false'].includes(word)) return held(word);
    const number = reading.readsZeroAndOne === true && isNumberToken(word) ? decimalOf(word) : 'none';
    if (number === decimalOf('1')) return held('true');
    return number === decimalOf('0') ? held('false') : rejected('type');
  }
  if (type === 'timestamp' || type === 'date')
    return expectedMoment(type, reading, text ?? token, text === undefined);
  const number = text === undefined || reading.readsDigitsInText === true ? (text ?? token) : '';
  return isNumberToken(number) && HOLDS[type](number) ? held(decimalOf(number)) : rejected('type');
}

function expectedMoment(
  type: 'timestamp' | 'date',
  reading: Reading,
  text: string,
  isNumber: boolean,
): Expected {
  const readsEpoch = type === 'timestamp' && reading.formats.some((format) => formatForm(format).isEpoch);
  if (isNumber && /^-?0(\.0)?$|^0e5$/.test(text) && readsEpoch) return rejected('sentinel');
  if (isNumber || /^[1-9]\d{8,18}$/.test(text))
    return type === 'date' ? rejected('type') : expectedEpoch(reading, text, isNumber);
  const moments = momentsOf(text);
  if (moments.includes('sentinel')) return rejected('sentinel');
  const moment = moments.find((each) => each !== 'sentinel' && reading.formats.includes(each.format));
  if (moment === undefined || moment === 'sentinel' || formatForm(moment.format).type !== type)
    return rejected('type');
  if (reading.zeroTime === 'never' && moment.format === 'iso' && moment.ms === 0 && !moment.isCut)
    return rejected('sentinel');
  const ms = moment.isLocal ? instantOf(moment.ms, reading.timeZone ?? 'UTC') : moment.ms;
  return ms === undefined ? rejected('type') : held(String(ms), moment.isCut ? 'precision' : null);
}

function expectedEpoch(reading: Reading, text: string, isNumber: boolean): Expected {
  const [, whole = '', fraction = ''] = /^(\d{10})\.(\d{1,5})$/.exec(text) ?? [];
  if (isNumber && fraction !== '' && !fraction.endsWith('0')) {
    const isRead = reading.formats.includes('unix-seconds') && Number(whole) < 4_102_444_800 && whole >= '1';
    return isRead ? held(`${whole}${fraction.padEnd(3, '0').slice(0, 3)}`) : rejected('type');
  }
  if (!/^\d+$/.test(text) || !(isNumber || reading.readsDigitsInText === true)) return rejected('type');
  const count = BigInt(text);
  for (const [format, perSecond] of EPOCH_FORMATS) {
    const isOfUs = count >= 946_684_800n * perSecond && count < 4_102_444_800n * perSecond;
    if (reading.formats.includes(format) && isOfUs) return held(String((count * 1000n) / perSecond));
  }
  return rejected('type');
}

const EPOCH_FORMATS = [
  ['unix-seconds', 1n],
  ['unix-milliseconds', 1000n],
  ['unix-microseconds', 1_000_000n],
  ['unix-nanoseconds', 1_000_000_000n],
] as const;

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
      fc.asyncProperty(values, async (tokens) => {
        if (tokens.length === 0) return;
        await putValues(db, tokens);
        const profile = await profileOf(db);
        const decision = decideColumn({ ...request, profiles: { berlin: profile } });
        const form = cellForm(decision, 'berlin');
        const cells = await expectCells(tokens, form);
        const counted = (reason: string) => cells.filter((cell) => cell.reason === reason).length;
        expect(counted('sentinel')).toBe(form.rejects?.sentinel);
        const gaps = counted('type') - (form.rejects?.type ?? 0);
        expect(gaps).toBeGreaterThanOrEqual(0);
        const inCells = cells.filter((cell) => cell.text !== null).length;
        expect(inCells + gaps).toBe(
          fitOf(decision.type, {
            source: 'berlin',
            profile,
            reading: form.reading,
            timeZone: undefined,
            setting: undefined,
            locked: undefined,
          }),
        );
      }),
      { numRuns: 20 },
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
