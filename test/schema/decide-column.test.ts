import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ColumnDecision, type ColumnRequest, decideColumn } from '#lib/schema/columns/decide-column.ts';
import {
  type ColumnProfile,
  mergeProfiles,
  VALUE_CLASSES,
  type ValueClass,
} from '#lib/schema/columns/value-classes.ts';
import { BERLIN, type Counts, decide, lock, profile } from './decided.ts';

describe('the first run decides', () => {
  test.each<[string, Counts, string]>([
    ['integers', { number: 5, zero: 1, numberBigintDecimal: 1 }, 'bigint'],
    ['integers and fractions', { number: 5, numberDecimalDouble: 1 }, 'decimal(38,9)'],
    ['integers beyond 64 bits', { number: 5, numberDecimal: 1 }, 'decimal(38,9)'],
    ['tiny numbers', { number: 5, numberDouble: 1 }, 'double'],
    [
      'numbers that only different types hold: the one that holds most',
      { number: 900, numberDecimal: 5, numberDouble: 1 },
      'decimal(38,9)',
    ],
    ['too many numbers that no type holds', { number: 90, numberNone: 10 }, 'varchar'],
    ['booleans, some as text', { boolean: 1, booleanText: 99 }, 'boolean'],
    ['text', { text: 1 }, 'varchar'],
    ['digits in text', { text: 1, secondsText: 1 }, 'varchar'],
    ['arrays and objects', { array: 1, object: 1 }, 'varchar'],
    ['numbers and 1 % garbage', { number: 99, text: 1 }, 'bigint'],
    ['numbers and more garbage', { number: 98, text: 2 }, 'varchar'],
    ['numbers, some absent as ""', { number: 5, empty: 95 }, 'bigint'],
    ['only ""', { empty: 3 }, 'varchar'],
    ['moments with offset', { iso: 97, sentinel: 3 }, 'timestamp'],
    ['moments of several forms', { iso: 1, isoCut: 1, dotnet: 1, rfc1123: 1 }, 'timestamp'],
    ['dates', { isoDate: 1, germanDate: 1, sentinel: 1 }, 'date'],
    ['dates and moments', { isoDate: 1, iso: 1 }, 'varchar'],
    ['dates with a day above 12', { slashDate: 5, slashDateDayFirst: 1 }, 'date'],
    ['numbers that are times, without a word for it in the name', { seconds: 5 }, 'bigint'],
  ])('%s', (_, counts, type) => {
    expect(decide(counts)).toMatchObject({ type, provisional: false, widen: [] });
    expect(decide(counts)).not.toHaveProperty('question');
  });

  test.each([
    ['created_at', 'timestamp'],
    ['usage_last_check', 'timestamp'],
    ['expired_at_2', 'timestamp'],
    ['seconds', 'bigint'],
    ['attempts', 'bigint'],
  ])('seconds since 1970 by the name: %s is %s', (name, type) => {
    expect(decide({ seconds: 5 }, { name }).type).toBe(type);
    expect(decide({ milliseconds: 5 }, { name }).type).toBe(type);
    expect(decide({ microseconds: 5 }, { name }).type).toBe(type);
    expect(decide({ nanoseconds: 4, nanosecondsDouble: 1 }, { name }).type).toBe(type);
    expect(decide({ seconds: 5, number: 1 }, { name }).type).toBe('bigint');
  });

  test('a column without a value is provisional text, one of sentinels a provisional timestamp', () => {
    expect(decide({})).toMatchObject({ type: 'varchar', provisional: true });
    expect(decide({ sentinel: 3 })).toMatchObject({ type: 'timestamp', provisional: true });
    const locked = lock(decide({ sentinel: 3 }));
    expect(decide({}, { locked })).toMatchObject({ type: 'timestamp', provisional: true });
    expect(decide({ number: 1 }, { locked })).toMatchObject({
      type: 'bigint',
      provisional: false,
    });
  });

  test('a source of garbage below 1 % of all does not decide', () => {
    const profiles = { berlin: profile({ number: 990 }), wien: profile({ text: 10 }) };
    expect(decide({}, { profiles })).toMatchObject({ type: 'bigint', misfits: 10 });
  });

  describe('where views want a type', () => {
    const of = (berlin: Counts, wien: Counts, more: Partial<ColumnRequest> = {}) =>
      decide({}, { profiles: { berlin: profile(berlin), wien: profile(wien) }, wanted: 'boolean', ...more });
    const asked = ({ questions }: ColumnDecision) =>
      questions.map(({ code, source, cures }) => [code, source, ...cures.map(({ setting }) => setting)]);

    test('a source that has it decides, and the other alone is asked about', () => {
      const decision = of({ boolean: 13 }, { text: 211 });
      expect(decision).toMatchObject({
        type: 'boolean',
        rejects: { berlin: { type: 0 }, wien: { type: 211 } },
        drift: [],
      });
      const its = 'resources.players.columns.value';
      expect(asked(decision)).toEqual([['TYPE_DIFFERS', 'wien', `${its}.as`, `${its}.values`]]);
    });

    test('on later days another type is no answer for the other source: a column of its own is', () => {
      const locked = lock(of({ boolean: 13 }, { text: 211 }));
      const { type, drift, questions } = of({ boolean: 13 }, { text: 211 }, { locked });
      expect([type, questions]).toEqual(['boolean', []]);
      expect(drift).toMatchObject([
        {
          code: 'TYPE_MISFIT',
          source: 'wien',
          cures: [
            { setting: 'resources.players.columns.value.values' },
            { setting: 'resources.players.columns.value.as' },
          ],
        },
      ]);
    });

    test('numbers of all sources that have numbers are joined', () => {
      expect(of({ number: 5 }, { numberDecimalDouble: 500 }, { wanted: 'bigint' })).toMatchObject({
        type: 'decimal(38,9)',
        misfits: 0,
        questions: [],
      });
    });

    test('what has its own question is asked once', () => {
      const times = { wanted: 'timestamp', name: 'last_update' } as const;
      expect(asked(of({ iso: 5 }, { isoLocal: 50 }, times))).toEqual([
        ['TIME_ZONE_UNKNOWN', 'wien', 'timeZone'],
      ]);
    });

    test('one source that counts from 1970 is read so beside one whose numbers are none', () => {
      const times = { wanted: 'timestamp', name: 'last_update' } as const;
      expect(of({ seconds: 5 }, { number: 50 }, times)).toMatchObject({
        type: 'timestamp',
        rejects: { berlin: { type: 0 }, wien: { type: 50 } },
      });
    });

    test.each<[string, Counts, Counts, Partial<ColumnRequest>, string]>([
      ['all are odd in the same way', { text: 5 }, { text: 6 }, {}, 'varchar'],
      ['no view wants it', { boolean: 13 }, { text: 211 }, { wanted: undefined }, 'varchar'],
      [
        'the config asks for another',
        { boolean: 13 },
        { text: 211 },
        { settings: { wien: { type: 'varchar' } } },
        'varchar',
      ],
      ['the other has nothing', { boolean: 13 }, { empty: 9, sentinel: 1 }, {}, 'boolean'],
      ['it only has the year 1', { sentinel: 5 }, { text: 9 }, { wanted: 'timestamp' }, 'varchar'],
    ])('%s: nothing is asked', (_, berlin, wien, more, type) => {
      expect(of(berlin, wien, more)).toMatchObject({ type, questions: [] });
    });
  });

  test('"" and 0001-01-01 stand in rejects as sentinels, cut digits as precision', () => {
    expect(decide({ iso: 100, isoCut: 5, empty: 2, sentinel: 3, text: 1 }).rejects).toEqual({
      berlin: { type: 1, sentinel: 5, precision: 5 },
    });
    expect(decide({ text: 1, empty: 2 }).rejects).toEqual({ berlin: { type: 0, sentinel: 0, precision: 0 } });
  });
});

describe('what the evidence does not decide stays text and is asked', () => {
  const setting = (name: string, of: string) => `resources.players.columns.${name}.${of}`;
  const zone = { setting: 'timeZone', choices: [], open: expect.stringContaining('"Europe/Berlin"') };
  const order = { setting: setting('day', 'format'), choices: ['DD/MM/YYYY', 'MM/DD/YYYY'] };
  test.each<[string, string, Counts, string, object]>([
    ['no zone', 'last_access', { isoLocal: 5 }, 'TIME_ZONE_UNKNOWN', zone],
    ['no zone, German', 'last_access', { germanTime: 5 }, 'TIME_ZONE_UNKNOWN', zone],
    ['day or month', 'day', { slashDate: 5 }, 'DAY_ORDER_UNKNOWN', order],
    [
      'both orders',
      'day',
      { slashDate: 5, slashDateDayFirst: 1, slashDateMonthFirst: 1 },
      'DAY_ORDER_UNKNOWN',
      order,
    ],
    [
      'digits in text',
      'created_at',
      { secondsText: 5 },
      'EPOCH_UNCERTAIN',
      { setting: setting('created_at', 'format'), choices: ['unix-seconds'], when: 'they are times' },
    ],
  ])('%s', (_, name, counts, code, cure) => {
    const decision = decide(counts, { name });
    expect(decision.type).toBe('varchar');
    expect(decision.questions).toEqual([
      { code, source: 'berlin', resource: 'players', column: name, says: expect.any(String), cures: [cure] },
    ]);
  });

  test('dates with a time are asked for as they are written', () => {
    const [question] = decide({ slashTime: 5 }, { name: 'day', ...BERLIN }).questions;
    expect(question?.cures[0]?.choices).toEqual(['DD/MM/YYYY hh:mm:ss', 'MM/DD/YYYY hh:mm:ss']);
  });

  test('zeros among times since 1970 stay numbers and are asked', () => {
    const decision = decide({ seconds: 5, zero: 1 }, { name: 'last_access' });
    expect(decision).toMatchObject({
      type: 'bigint',
      questions: [{ code: 'EPOCH_UNCERTAIN', cures: [{ choices: ['unix-seconds'] }] }],
    });
    const settings = { berlin: { format: 'unix-seconds' } };
    expect(decide({ seconds: 5, zero: 1 }, { name: 'last_access', settings })).toMatchObject({
      type: 'timestamp',
      rejects: { berlin: { type: 0, sentinel: 1 } },
    });
  });

  test('with the zone of the source they are times', () => {
    const decision = decide({ isoLocal: 5, germanTime: 1 }, BERLIN);
    expect(decision).toMatchObject({
      type: 'timestamp',
      readings: { berlin: { formats: ['iso-local', 'DD.MM.YYYY hh:mm:ss'], timeZone: 'Europe/Berlin' } },
    });
    expect(decision.questions).toEqual([]);
  });

  test('the zone is asked for the source that lacks it, and only there', () => {
    const profiles = { berlin: profile({ isoLocal: 995 }), wien: profile({ isoLocal: 5 }) };
    const decision = decide({}, { ...BERLIN, profiles });
    expect(decision).toMatchObject({ type: 'timestamp', misfits: 5 });
    expect(decision.questions.map(({ source }) => source)).toEqual(['wien']);
  });
});

test('neither the order of sources nor how a run is cut changes the decision', () => {
  const counts = fc.dictionary(
    fc.constantFrom(...(Object.keys(VALUE_CLASSES) as ValueClass[])),
    fc.integer({ min: 1, max: 200 }),
    {
      maxKeys: 5,
    },
  );
  const parts = fc.array(
    counts.map((each) => profile(each as Counts, 3)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(parts, parts, fc.constantFrom('value', 'last_access'), (berlin, wien, name) => {
      const merge = (list: readonly ColumnProfile[]) => list.reduce(mergeProfiles);
      const base = { table: 'players' as const, name, timeZones: { wien: 'Europe/Vienna' } };
      const there = decideColumn({ ...base, profiles: { berlin: merge(berlin), wien: merge(wien) } });
      const back = decideColumn({
        ...base,
        profiles: { wien: merge(wien.toReversed()), berlin: merge(berlin.toReversed()) },
      });
      expect(back).toEqual(there);
    }),
  );
});
