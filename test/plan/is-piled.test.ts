import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPiled } from '#lib/plan/outcomes/is-piled.ts';

const counted = (numbers: readonly number[]): ReadonlyMap<number, number> =>
  new Map([...Map.groupBy(numbers, (each) => each)].map(([number, same]) => [number, same.length]));

const fleet = (...counts: readonly number[]): ReadonlyMap<number, number> => new Map(counts.entries());

test.each([
  ['12 with none, 11 with one, 34 with two', fleet(12, 11, 34)],
  ['spread to six, cut at three', fleet(10, 9, 11, 40)],
  ['spread to nine, cut at five', fleet(3, 14, 8, 8, 12, 35)],
  ['spread to forty, cut at 24', counted(Array.from({ length: 80 }, (_, index) => Math.min(24, index % 40)))],
])('piled: %s', (_, counts) => {
  expect(isPiled(counts)).toBe(true);
});

test.each([
  ['each has one', fleet(0, 300)],
  ['each has two, but for a few', fleet(3, 12, 285)],
  ['most have two', fleet(5, 25, 70)],
  ['most have one', fleet(4, 250, 46)],
  ['0 to 4 alike', fleet(12, 11, 12, 11, 11)],
  ['few parents', fleet(2, 2, 8)],
  [
    'ports of two models',
    new Map([
      [4, 40],
      [8, 60],
    ]),
  ],
  ['none', fleet(40)],
])('not piled: %s', (_, counts) => {
  expect(isPiled(counts)).toBe(false);
});

/** How many of a player's places have a screen: each with the same chance. */
const places = fc.record({
  places: fc.integer({ min: 1, max: 8 }),
  chance: fc.double({ min: 0.05, max: 0.98, noNaN: true }),
  parents: fc.integer({ min: 20, max: 400 }),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

test('fleets whose players each have some of so many places are not piled', () => {
  fc.assert(
    fc.property(places, ({ places: most, chance, parents, seed }) => {
      let state = seed;
      const random = () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const has = () => Array.from({ length: most }, random).filter((each) => each < chance).length;
      expect(isPiled(counted(Array.from({ length: parents }, has)))).toBe(false);
    }),
    { numRuns: 2000, seed: 5 },
  );
});
