import { describe, expect, test } from 'vitest';
import { BERLIN, decide, lock, profile } from './decided.ts';

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
