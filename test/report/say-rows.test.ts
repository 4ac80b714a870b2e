import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { sayNone, sayRows } from '#lib/report/page/say-rows.ts';

const formats = localFormats('en-GB', 'UTC');
const whole = { rows: [], total: 0, query: 'select * from screen_status' };
const notKnown = [{ text: 'Of one source nothing is known.' }];

it('R11: a table without rows says none, but not where something is not known, nor where a filter hides them', () => {
  expect(sayNone({ ...whole, notKnown: [] }, '', formats)).toBe('None.');
  expect(sayNone({ ...whole, notKnown }, '', formats)).toBe('None is known.');
  expect(sayNone({ ...whole, notKnown: [] }, 'x', formats)).toBe('Nothing matches the filter.');
  expect(sayNone({ ...whole, notKnown }, 'x', formats)).toBe('Nothing matches the filter.');
  // A group may have rows behind those that the page holds.
  expect(sayNone({ ...whole, notKnown: [], rows: [['x']], total: 1200 }, '', formats)).toBe(
    'The page holds the first 1. All: select * from screen_status',
  );
});

const rows = (count: number) => Array.from({ length: count }, () => ['x']);
const said = ({ total = 40, open = total, of, ...view }: Case) => {
  const { found = of ?? open, shown = 15 } = view;
  const table = { total, rows: rows(open), query: 'select * from screen_status' };
  return sayRows(table, { of, found, shown, formats });
};

it.each<[string, Case, string]>([
  ['nothing where all of a short one are shown', { total: 15 }, ''],
  ['how many there are where it has more than a page of them', { total: 16 }, '15 of 16.'],
  ['how many there are, and no more than there are as shown', { total: 16, shown: 75 }, '16 of 16.'],
  ['how many match, of a short one too', { total: 3, found: 2 }, '2 of 2 that match.'],
  ['how many are shown of those that match', { found: 20 }, '15 of 20 that match.'],
  ['nothing of a short group of a long one', { of: 3 }, ''],
  [
    'where the others are, of a short group too',
    { of: 3, total: 1200, open: 1000 },
    '3 of 3. The page holds the first 1,000. All: select * from screen_status',
  ],
  ['how many a group has', { of: 20 }, '15 of 20.'],
  ['how many match in a group', { of: 20, found: 4 }, '4 of 4 that match.'],
  [
    'where the others are, where the page has not all',
    { total: 1200, open: 1000 },
    '15 of 1,200. The page holds the first 1,000. All: select * from screen_status',
  ],
])('of the rows of a table is said: %s', (_, of, expected) => {
  expect(said(of)).toBe(expected);
});

interface Case {
  /** Rows that there are. */
  readonly total?: number;
  /** Rows that stand in the page's data. */
  readonly open?: number;
  readonly of?: number;
  readonly found?: number;
  readonly shown?: number;
}
