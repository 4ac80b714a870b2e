import { describe, expect, test } from 'vitest';
import { BERLIN, decide, lock, profile } from './decided.ts';

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
    const now = { ...decision, ...wider };
    expect(now).toMatchObject({
      type: 'decimal(38,9)',
      rejects: { berlin: { type: 0 } },
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
