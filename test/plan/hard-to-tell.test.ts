import { describe, expect, it } from 'vitest';
import { meaningChange } from '#lib/plan/meaning/meaning-change.ts';
import type { Trait } from '#lib/schema/columns/sampled.ts';
import { createChance } from '../support/chance.ts';

/* Changes that look like what happens on a usual day, and usual days that look like them. */

const AT = { was: Date.UTC(2026, 10, 10, 3) / 1000, is: Date.UTC(2026, 10, 11, 3) / 1000 };
const IDS = Array.from({ length: 20 }, (_, id) => id);

type Values = (id: number) => NonNullable<Trait>;

const said = (was: Values, is: Values, isLasting = false) =>
  meaningChange({
    pairs: IDS.map((id) => ({ was: was(id), is: is(id) })),
    at: AT,
    date: '2026-11-11',
    isLasting,
  })?.says;

describe('numbers that rise and fall', () => {
  const chance = createChance(5);
  const vary = (by: number) => 1 + by * (2 * chance.number() - 1);
  const sizes = IDS.map((id) => (1 + id) ** 2);

  it.each([1e9, 1024 ** 3, 1e6, 1000, 3600, 60])('are told in a unit that is %d times larger', (factor) => {
    const stored: Values = (id) => (sizes[id] ?? 0) * 1e4 * vary(0.15);
    expect(said(stored, (id) => Number(stored(id)) / factor)).toMatch(/ times smaller than before/);
    expect(said(stored, (id) => Number(stored(id)) * factor)).toMatch(/ times as large as before/);
    expect(said(stored, stored)).toBeUndefined();
  });

  it('began again together: that is no unit', () => {
    for (const hours of [170, 720])
      for (const now of [0.5, 1, 5])
        expect(
          said(
            () => hours * vary(0.03),
            () => now * vary(0.03),
          ),
        ).toBeUndefined();
    // Each ran for another time before.
    for (const now of [1, 3, 60])
      expect(
        said(
          (id) => (sizes[id] ?? 0) * 30 * vary(0.1),
          () => now * vary(0.1),
        ),
      ).toBeUndefined();
  });
});

describe('times of the last contact', () => {
  const contact = (at: number, ahead: number, zone: string): Values => {
    return (id) => `@${at - 60 * (id % 9) + ahead}|9999-99-99x99:99:99${zone}`;
  };

  it.each([-1, -2, -9])('with the same digits and another written zone are %d h earlier', (hours) => {
    const [was, is] = [contact(AT.was, 0, 'x'), contact(AT.is, hours * 3600, '+99:99')];
    expect(said(was, is)).toContain(`${-hours} h earlier`);
  });

  it('in another zone that fits, or of players that fell silent, are no change', () => {
    expect(said(contact(AT.was, 0, 'x'), contact(AT.is, 0, '+99:99'))).toBeUndefined();
    expect(said(contact(AT.was, 0, 'x'), contact(AT.is, -9 * 3600, 'x'))).toBeUndefined();
  });
});

describe('one word in all records', () => {
  const word = (...all: readonly string[]): Values => {
    return (id) => `=${all[id % all.length] ?? ''}`;
  };

  it.each<readonly [string, Values, Values]>([
    ['another state', word('Activated'), word('Reserved')],
    ['a word of another language', word('Activated'), word('Aktiviert')],
    ['one place for all', word('Ulm', 'Bonn', 'Bern', 'Hof'), word('Unknown')],
    ['a flag that is off', (id) => id % 8 !== 0, () => false],
  ])('is told where a column says what a record is: %s', (_, was, is) => {
    expect(said(was, is, true)).toContain('other words');
    expect(said(was, is)).toBeUndefined();
  });

  it.each<readonly [string, Values, Values]>([
    ['boxes that are set up', word('New', 'Reserved'), word('Activated')],
    ['players that all get the best licence', word('Entry', 'Advanced', 'Pro'), word('Pro')],
    ['licences that are bought', (id) => id % 8 === 0, () => true],
    ['some shops that close', word('Activated'), word('Deleted', 'Activated')],
  ])('is a usual day: %s', (_, was, is) => {
    expect(said(was, is, true)).toBeUndefined();
  });
});
