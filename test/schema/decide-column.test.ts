import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLUMN_TYPES } from '#lib/column-types.ts';
import { FORMAT_NAMES, formatForm } from '#lib/schema/cells/formats.ts';
import {
  type ColumnDecision,
  type ColumnRequest,
  decideColumn,
  type LockedColumn,
  widened,
} from '#lib/schema/columns/decide-column.ts';
import {
  type ColumnProfile,
  mergeProfiles,
  VALUE_CLASSES,
  type ValueClass,
} from '#lib/schema/columns/value-classes.ts';

type Counts = Partial<Record<ValueClass, number>>;
const profile = (counts: Counts, nulls = 0): ColumnProfile => ({
  records: Object.values(counts).reduce((sum, count) => sum + count, nulls),
  counts,
});
/** `misfits`: values that are in rejects for their type. */
const decide = (
  counts: Counts,
  more: Partial<ColumnRequest> = {},
): ColumnDecision & { readonly misfits: number } => {
  const decision = decideColumn({
    table: 'players',
    name: 'value',
    profiles: { berlin: profile(counts) },
    ...more,
  });
  const misfits = Object.values(decision.rejects).reduce((sum, { type }) => sum + type, 0);
  return { ...decision, misfits };
};
const lock = (decision: ColumnDecision): LockedColumn => decision;
const BERLIN = { timeZones: { berlin: 'Europe/Berlin' } };

describe("one source's type", () => {
  const twoSources = (more: Partial<ColumnRequest>) =>
    decide(
      {},
      {
        profiles: { berlin: profile({ number: 12 }), munich: profile({ text: 12 }) },
        settings: { berlin: { type: 'bigint' } },
        ...more,
      },
    );

  test("does not take the cells of a source whose values it does not fit, but that source's are asked about", () => {
    const { type, misfits, drift } = twoSources({});
    expect([type, misfits]).toEqual(['varchar', 0]);
    expect(drift.map(({ code, source }) => [code, source])).toEqual([['TYPE_MISFIT', 'munich']]);
  });

  test.each([
    ['views need it', { wanted: 'bigint' as const }],
    ['the column has it since earlier runs', { locked: lock(decide({ number: 12 })) }],
  ])('does so where %s', (_, more) => {
    const { type, misfits, drift } = twoSources(more);
    expect([type, misfits]).toEqual(['bigint', 12]);
    expect(drift.map(({ code, source }) => [code, source])).toEqual([['TYPE_MISFIT', 'munich']]);
  });
});

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

describe('later runs', () => {
  test('numbers widen along bigint, decimal, double', () => {
    const locked = lock(decide({ number: 5 }));
    const decision = decide({ number: 5, numberDecimalDouble: 1 }, { locked });
    expect(decision).toMatchObject({
      type: 'bigint',
      misfits: 1,
      drift: [{ source: 'berlin', says: expect.stringMatching(/^1 value is not of the type/) }],
    });
    expect(decision.widen.map(({ type }) => type)).toEqual(['decimal(38,9)', 'double']);
    const [wider] = decision.widen;
    const now = widened(decision, wider ?? decision);
    expect(now).toMatchObject({
      type: 'decimal(38,9)',
      rejects: { berlin: { type: 0 } },
      widen: [],
      drift: [],
    });
    expect(decide({ numberDouble: 1 }, { locked: lock(now) }).widen.map(({ type }) => type)).toEqual([
      'double',
    ]);
    expect(decide({ number: 1 }, { locked: lock(now) })).toMatchObject({ type: 'decimal(38,9)', widen: [] });
  });

  test('everything else keeps the type, and drift is said', () => {
    const locked = lock(decide({ number: 5 }));
    expect(decide({ text: 50 }, { locked })).toMatchObject({
      type: 'bigint',
      misfits: 50,
      drift: [{ code: 'TYPE_MISFIT', cures: [{ setting: 'resources.players.columns.value.type' }] }],
      widen: [],
    });
    // A tenth, and few values, are drift alone.
    expect(decide({ number: 90, text: 10 }, { locked }).drift).toMatchObject([{ code: 'TYPE_OUTGROWN' }]);
    expect(decide({ number: 89, text: 11 }, { locked }).drift).toMatchObject([{ code: 'TYPE_MISFIT' }]);
    expect(decide({ text: 9 }, { locked }).drift).toMatchObject([{ code: 'TYPE_OUTGROWN' }]);
    expect(decide({ number: 5, empty: 5 }, { locked }).drift).toEqual([]);
  });

  test('a value that the config gives no meaning is cured by a meaning, for another type is refused beside meanings', () => {
    const settings = { berlin: { values: { ON: true, STANDBY: false } } };
    const locked = lock(decide({ boolean: 5 }, { settings }));
    const { drift } = decide({ boolean: 5, text: 2 }, { settings, locked });
    expect(drift).toMatchObject([
      {
        says: expect.stringMatching(/^2 values are without a meaning/),
        cures: [{ setting: 'resources.players.columns.value.values' }],
      },
    ]);
  });

  test('text stays text; once all of it is times, that is asked', () => {
    const locked = lock(decide({ empty: 5 }));
    expect(decide({ number: 5 }, { locked })).toMatchObject({ type: 'varchar', misfits: 0 });
    expect(decide({ iso: 5, empty: 3 }, { locked })).toMatchObject({
      type: 'varchar',
      questions: [
        {
          code: 'TYPE_OUTGROWN',
          cures: [{ setting: 'resources.players.columns.value.type', choices: ['timestamp'] }],
        },
      ],
    });
  });

  test('a source may change to another form that is read without doubt', () => {
    const locked = lock(decide({ iso: 5 }, { name: 'last_access' }));
    expect(decide({ dotnet: 5 }, { name: 'last_access', locked })).toMatchObject({
      misfits: 0,
      readings: { berlin: { formats: ['iso', '/Date(ms)/'] } },
    });
    expect(decide({ seconds: 5 }, { name: 'last_access', locked }).misfits).toBe(0);
    expect(decide({ seconds: 5 }, { locked }).misfits).toBe(5);
  });

  test('the order of day and month stays as it was found', () => {
    const locked = lock(decide({ slashDateDayFirst: 1 }));
    expect(decide({ slashDate: 5 }, { locked })).toMatchObject({ type: 'date', misfits: 0 });
    expect(decide({ slashDateMonthFirst: 5 }, { locked })).toMatchObject({ type: 'date', misfits: 5 });
  });

  test('a zone that the config now has, or has changed, is what its times are read by', () => {
    const text = lock(decide({ isoLocal: 5 }));
    const read = decide({ isoLocal: 5 }, { ...BERLIN, locked: text });
    expect(read).toMatchObject({ type: 'timestamp', readings: { berlin: { timeZone: 'Europe/Berlin' } } });
    const timeZones = { berlin: 'Europe/London' };
    expect(decide({ isoLocal: 5 }, { timeZones, locked: lock(read) })).toMatchObject({
      type: 'timestamp',
      readings: { berlin: { timeZone: 'Europe/London' } },
    });
    const unset = decide({ isoLocal: 5 }, { locked: lock(read) });
    expect(unset).toMatchObject({ readings: { berlin: { timeZone: 'Europe/Berlin' } } });
  });

  test('a zone that was always there changes nothing of a column that first has local times later', () => {
    const text = lock(decide({ text: 5 }, BERLIN));
    expect(decide({ isoLocal: 5 }, { ...BERLIN, locked: text })).toMatchObject({
      type: 'varchar',
    });
  });

  test('what a source was read by is kept while the source is away', () => {
    const locked = lock(decide({ iso: 5 }));
    const decision = decide({}, { locked, profiles: { wien: profile({ dotnet: 3 }) } });
    expect(decision.readings).toEqual({ berlin: { formats: ['iso'] }, wien: { formats: ['/Date(ms)/'] } });
  });
});

describe('the config wins', () => {
  test.each(COLUMN_TYPES)('type %s', (type) => {
    const counts = { text: 5, number: 2, iso: 2, isoDate: 2, boolean: 2 };
    expect(decide(counts, { settings: { berlin: { type } } })).toMatchObject({ type });
    const locked = lock(decide({ text: 5 }));
    expect(decide(counts, { locked, settings: { berlin: { type } } })).toMatchObject({
      type,
    });
  });

  test.each(FORMAT_NAMES)('format %s', (format) => {
    const type = format.startsWith('YYYY') || /\/?YYYY$/.test(format) ? 'date' : 'timestamp';
    const [first = 'iso'] = formatForm(format).classes;
    const settings = { berlin: { format } };
    expect(decide({ text: 5, [first]: 1 }, { ...BERLIN, settings })).toMatchObject({
      type,
      readings: { berlin: { formats: [format] } },
    });
  });

  test('a type that hardly a value has is not taken: the cells keep what they have', () => {
    const settings = { berlin: { type: 'bigint' } };
    const counts = { text: 19, number: 1 };
    const first = decide(counts, { settings });
    expect(first).toMatchObject({ type: 'varchar', provisional: false, misfits: 0 });
    expect(first.drift).toMatchObject([{ code: 'TYPE_MISFIT' }]);
    expect(decide({ text: 18, number: 2 }, { settings })).toMatchObject({ type: 'bigint', misfits: 18 });
    const dates = lock(decide({ isoDate: 5 }));
    expect(decide(counts, { settings, locked: dates }).type).toBe('date');
    const numbers = lock(decide({ number: 5 }, { settings }));
    expect(decide(counts, { settings, locked: numbers })).toMatchObject({ type: 'bigint', misfits: 19 });
  });

  test('boolean over 0 and 1, for as long as the column is kept', () => {
    const settings = { berlin: { type: 'boolean' } };
    // What is 0 or 1 is counted as true or false.
    const decision = decide({ boolean: 9, text: 1 }, { settings });
    expect(decision).toMatchObject({
      type: 'boolean',
      rejects: { berlin: { type: 1 } },
      readings: { berlin: { formats: [], readsZeroAndOne: true } },
    });
    expect(decide({ zero: 4, numberDecimal: 5 }, { settings }).misfits).toBe(5);
    expect(decide({ zero: 4 }, { locked: lock(decision) })).toMatchObject({ misfits: 0, type: 'boolean' });
    expect(decide({ zero: 4 }, { locked: lock(decide({ boolean: 4 })) }).misfits).toBe(4);
  });

  test.each<[string, Counts, object]>([
    ['numbers', { seconds: 4, milliseconds: 1, zero: 2 }, { type: 0, sentinel: 2 }],
    ['digits in text', { secondsText: 5 }, { type: 0 }],
    ['numbers that are no times', { seconds: 4, number: 2 }, { type: 2 }],
  ])('timestamp over %s since 1970, whatever the name', (_, counts, rejects) => {
    const settings = { berlin: { type: 'timestamp' } };
    expect(decide(counts, { settings })).toMatchObject({ type: 'timestamp', rejects: { berlin: rejects } });
  });

  test('a format that decides the order of day and month', () => {
    const settings = { berlin: { format: 'MM/DD/YYYY hh:mm:ss' } };
    const decision = decide({ slashTime: 5 }, { ...BERLIN, settings });
    expect(decision).toMatchObject({ type: 'timestamp', misfits: 0 });
    expect(decision.questions).toEqual([]);
  });

  test.each([
    [
      { berlin: { type: 'bigint' }, wien: { type: 'double' } },
      /bigint in source berlin and double in source wien/,
    ],
    [
      { berlin: { type: 'text' } },
      /source berlin, resources\.players\.columns\.value\.type is "text": write one of boolean/,
    ],
    [{ berlin: { format: 'ISO' } }, /format is "ISO": write one of iso/],
  ])('%j is refused', (settings, message) => {
    expect(() => decide({}, { settings })).toThrow(message);
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
