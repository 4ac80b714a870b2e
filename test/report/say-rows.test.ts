import { describe, expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { sayNone, sayRows } from '#lib/report/page/rows/say-rows.ts';

const formats = localFormats('en-GB', 'UTC');
const notKnown = [{ text: 'Of one source nothing is known.' }];

it('R11: a table without rows says none, but not where something is not known, nor where a filter hides them', () => {
  expect(sayNone({ notKnown: [] }, '', formats)).toBe('None.');
  expect(sayNone({ notKnown }, '', formats)).toBe('None is known.');
  expect(sayNone({ notKnown: [] }, 'x', formats)).toBe('Nothing matches the filter.');
  expect(sayNone({ notKnown }, 'x', formats)).toBe('Nothing matches the filter.');
});

describe('of the rows of a table is said', () => {
  const rows = (count: number) => Array.from({ length: count }, () => ['x']);
  const said = ({ total = 40, open = total, packed, of, ...view }: Case) => {
    const held = packed ?? open;
    const { found = of ?? held, shown = 15 } = view;
    const table = { total, rows: rows(open), isPacked: packed !== undefined, view: 'screen_status' };
    return sayRows(table, { held, of, found, shown, formats });
  };

  it.each<[string, Case, string]>([
    ['nothing where all of a short one are shown', { total: 15 }, ''],
    ['how many there are where it has more than a page of them', { total: 16 }, '15 of 16.'],
    ['how many there are, and no more than there are as shown', { total: 16, shown: 75 }, '16 of 16.'],
    ['how many match, of a short one too', { total: 3, found: 2 }, '2 of 2 that match.'],
    ['how many are shown of those that match', { found: 20 }, '15 of 20 that match.'],
    ['nothing of a short group of a long one', { of: 3 }, ''],
    ['how many a group has', { of: 20 }, '15 of 20.'],
    ['how many match in a group', { of: 20, found: 4 }, '4 of 4 that match.'],
    [
      'where the others are, where the page has not all',
      { total: 1200, open: 1000 },
      '15 of 1,200. The page holds the first 1,000: query screen_status has all.',
    ],
    ['nothing of others where all are packed', { total: 1200, open: 100, packed: 1200 }, '15 of 1,200.'],
    [
      'nothing of others as long as what is packed is not open',
      { total: 1200, open: 100, packed: 100 },
      '15 of 1,200.',
    ],
    [
      'where the others are, where not all are packed',
      { total: 1200, open: 100, packed: 1100 },
      '15 of 1,200. The page holds the first 1,100: query screen_status has all.',
    ],
  ])('%s', (_, of, expected) => {
    expect(said(of)).toBe(expected);
  });
});

interface Case {
  /** Rows that there are. */
  readonly total?: number;
  /** Rows that stand in the page's data. */
  readonly open?: number;
  /** Rows of all that are packed beside it; undefined = none. */
  readonly packed?: number;
  readonly of?: number;
  readonly found?: number;
  readonly shown?: number;
}
