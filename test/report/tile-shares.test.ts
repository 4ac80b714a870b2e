import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { ofWhole, type Tile } from '#lib/report/page/tile-figures.ts';

const formats = localFormats('en', 'UTC');

it.each([
  ['all are known', 7, 0, '(38.8%)'],
  ['some are not known', 5, 2, '(27.7% – 38.9%)'],
  ['all others are not known', 5, 13, '(27.7% – 100%)'],
])('a share lies within what its tile tells, where %s', (_, now, unknown, told) => {
  const figure = { values: [now], kind: 'number' } as const;
  const tile = { figure, of: 'of 18', whole: 18, unknown } as Partial<Tile> as Tile;
  expect(ofWhole(tile, formats)).toBe(`of 18 ${told}`);
});
