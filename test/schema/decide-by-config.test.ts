import { describe, expect, test } from 'vitest';
import { COLUMN_TYPES } from '#lib/column-types.ts';
import { FORMAT_NAMES, formatForm } from '#lib/schema/cells/formats.ts';
import type { ColumnRequest } from '#lib/schema/columns/decide-column.ts';
import { BERLIN, type Counts, decide, lock, profile } from './decided.ts';

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
    const settings = { berlin: { type: 'bigint' } } as const;
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
    const settings = { berlin: { type: 'boolean' } } as const;
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
    const settings = { berlin: { type: 'timestamp' } } as const;
    expect(decide(counts, { settings })).toMatchObject({ type: 'timestamp', rejects: { berlin: rejects } });
  });

  test('a format that decides the order of day and month', () => {
    const settings = { berlin: { format: 'MM/DD/YYYY hh:mm:ss' } };
    const decision = decide({ slashTime: 5 }, { ...BERLIN, settings });
    expect(decision).toMatchObject({ type: 'timestamp', misfits: 0 });
    expect(decision.questions).toEqual([]);
  });
});
