import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { columnName } from '#lib/schema/columns/column-name.ts';
import { decideColumn } from '#lib/schema/columns/decide-column.ts';
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
      'numbers of which one type holds most',
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
});

test('neither the order of sources nor how a run is cut changes the decision', () => {
  const counts = fc.dictionary(
    fc.constantFrom(...(Object.keys(VALUE_CLASSES) as ValueClass[])),
    fc.integer({ min: 1, max: 200 }),
    { maxKeys: 5 },
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

describe('later runs', () => {
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

  test('a zone that was always there changes nothing of a column that first has local times later', () => {
    const text = lock(decide({ text: 5 }, BERLIN));
    expect(decide({ isoLocal: 5 }, { ...BERLIN, locked: text })).toMatchObject({ type: 'varchar' });
  });

  test('what a source was read by is kept while the source is away', () => {
    const locked = lock(decide({ iso: 5 }));
    const decision = decide({}, { locked, profiles: { wien: profile({ dotnet: 3 }) } });
    expect(decision.readings).toEqual({ berlin: { formats: ['iso'] }, wien: { formats: ['/Date(ms)/'] } });
  });
});

function decided(key: string, counts: Partial<Record<ValueClass, number>>) {
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const profiles = { berlin: { records, counts } };
  const { type, questions } = decideColumn({ table: 'players', name: columnName([key]), profiles });
  return { type, asks: questions.map(({ code }) => code) };
}
describe('three numbers with dots between them', () => {
  it.each([
    ['Version', 'varchar'],
    ['FirmwareVersion', 'varchar'],
    ['last_version', 'varchar'],
    ['Valid', 'date'],
    ['CreatedAt', 'date'],
    ['TicketCreated', 'date'],
  ])('%s', (key, type) => {
    expect(decided(key, { germanDate: 3 })).toEqual({ type, asks: [] });
  });

  it('with slashes: a version asks for no order of day and month', () => {
    expect(decided('Version', { slashDate: 3 })).toEqual({ type: 'varchar', asks: [] });
    expect(decided('Due', { slashDate: 3 })).toEqual({ type: 'varchar', asks: ['DAY_ORDER_UNKNOWN'] });
  });
});

/** The words as the design and the issue have them, written down apart from lib. */
const TIMES =
  'date time timestamp at since until from last created modified updated changed expired expires expiry check access'.split(
    ' ',
  );
const OTHERS = 'size bytes count sum number id phone ticket version'.split(' ');
/** Words that contain others, or are near to them, and say nothing. */
const NEITHER = 'player dated timer cat lasting counter resume idle grid phonebook lobby'.split(' ');

const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.map(capital).join(''),
  (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join('_').toUpperCase(),
];

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

it('in any name a word of something else beats a word of time, however the name is written', () => {
  const word = fc.oneof(fc.constantFrom(...TIMES), fc.constantFrom(...OTHERS), fc.constantFrom(...NEITHER));
  const names = fc.tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom(...STYLES));
  const property = fc.property(names, fc.constantFrom('seconds', 'milliseconds'), ([words, style], epoch) => {
    const { type, asks } = decided(style(words), { [epoch]: 5 });
    const hasOther = words.some((each) => OTHERS.includes(each));
    const hasTime = words.some((each) => TIMES.includes(each));
    expect(type).toBe(hasTime && !hasOther ? 'timestamp' : 'bigint');
    // Only where a time is what the name ends in, the operator is asked.
    expect(asks).toEqual(hasOther && TIMES.includes(words.at(-1) ?? '') ? ['EPOCH_UNCERTAIN'] : []);
  });
  fc.assert(property, { numRuns: 2000 });
});
