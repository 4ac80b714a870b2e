import { expect, it } from 'vitest';
import { allPairs, type Row } from '#simulator/profiles/all-pairs.ts';

const CHOICES = { size: ['s', 'm', 'l', 'xl'], colour: ['red', 'blue', 'none'], lid: ['yes', 'no'] };
const allows = (row: Row) => !(row.lid === 'yes' && row.colour === 'none');

it('lets any two values that fit meet, in few rows, the same for the same seed', () => {
  const rows = allPairs(CHOICES, allows, 3);
  const meet = (wanted: Row) =>
    rows.some((row) => Object.entries(wanted).every(([axis, value]) => row[axis] === value));
  for (const size of CHOICES.size) {
    for (const colour of CHOICES.colour) expect(meet({ size, colour })).toBe(true);
    for (const lid of CHOICES.lid) expect(meet({ size, lid })).toBe(true);
  }
  for (const colour of CHOICES.colour) {
    for (const lid of CHOICES.lid) expect(meet({ colour, lid })).toBe(allows({ colour, lid }));
  }
  expect(rows.every(allows)).toBe(true);
  expect(rows.length).toBeLessThan(16);
  expect(allPairs(CHOICES, allows, 3)).toEqual(rows);
});
