import { expect, it } from 'vitest';
import { sparkPath } from '#lib/report/page/chart-spec.ts';

/** The heights of a line, from 3 at the highest figure to 25 at zero. */
const heights = (values: readonly (number | null)[]) =>
  [...sparkPath(values).matchAll(/ ([\d.]+)/g)].map(([, y]) => Number(y));

it('a spark line begins at zero, so a hundredth less looks like a hundredth less', () => {
  expect(heights([100, 99, null, 50, 0])).toEqual([3, 3.2, 14, 25]);
  expect(heights([0, 0, 0, 0])).toEqual([25, 25, 25, 25]);
});

it('a spark line has a gap where a day is unknown, and a dot for a day between two', () => {
  expect(sparkPath([4, null, 4, null, 4, 4])).toBe('M2.0 3.0h0.1M48.4 3.0h0.1M94.8 3.0L118.0 3.0');
});

it('a spark line of figures below zero stays in its box, and ends with the lowest', () => {
  expect(heights([4, 0, null, -4])).toEqual([3, 14, 25]);
  expect(heights([-4, -2, -4, -4])).toEqual([25, 14, 25, 25]);
});
