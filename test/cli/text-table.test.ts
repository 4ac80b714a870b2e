import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterEach, describe, expect, it } from 'vitest';
import { roundedText } from '#cli/rounded.ts';
import { chooseColor, painted, wrapped } from '#cli/terminal.ts';
import { textTable } from '#cli/text-table.ts';

const rows = [
  ['Eingangshalle Nord, 2. Obergeschoss', '12', 'complete', 'a long remark that has no room'],
  ['店头大屏幕', '3', 'failed', ''],
];
const head = ['name', 'screens', 'status', 'remark'];

describe('a table', () => {
  it('has every cell whole where there is no width to fit', () => {
    expect(textTable(head, rows, { width: Number.POSITIVE_INFINITY })).toBe(
      [
        'name                                 screens  status    remark',
        'Eingangshalle Nord, 2. Obergeschoss       12  complete  a long remark that has no room',
        '店头大屏幕                                 3  failed',
      ].join('\n'),
    );
  });

  it('is at most as wide as the terminal, whatever is in it', () => {
    const cell = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.integer().map(String));
    const table = fc
      .integer({ min: 1, max: 8 })
      .chain((count) =>
        fc.tuple(
          fc.array(cell, { minLength: count, maxLength: count }),
          fc.array(fc.array(cell, { minLength: count, maxLength: count }), { maxLength: 5 }),
        ),
      );
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 160 }), ([names, cells], width) => {
        const lines = textTable(names, cells, { width }).split('\n');
        // One column of numbers alone may be wider: a number is never cut.
        const isCut = lines.every((line) => stringWidth(painted(line)) <= width);
        const widest = Math.max(0, ...cells.map(([first = '']) => stringWidth(first)));
        expect(isCut || widest > width).toBe(true);
        const headLines = Math.max(...names.map((name) => 1 + [...name.matchAll(/_+/g)].length));
        expect(lines.length).toBeLessThanOrEqual(cells.length + headLines + 1);
      }),
    );
  });
});

describe('colours', () => {
  afterEach(() => chooseColor('auto'));
  it('are chosen by nothing that a server sends', () => {
    chooseColor('always');
    expect(painted(textTable(['a'], [['\uFDD2 red? \u001b[31m']], { width: 80 }))).toBe(
      'a\n\uFFFD red? \\u001b[31m',
    );
  });
});

it.each([
  ['0.8333333333333334', '0.833'],
  ['53.900000000', '53.9'],
  ['1234.56789', '1234.568'],
  ['-0.000123456', '-0.000123'],
  ['1.5e-7', '1.5e-7'],
  ['42', '42'],
  ['9007199254740993.5', '9007199254740993.5'],
  ['2026-11-20', '2026-11-20'],
  ['', ''],
])('%s is %s for people', (exact, rounded) => {
  expect(roundedText(exact)).toBe(rounded);
});

it('a long line is broken between words, with its indent; a command is not', () => {
  const command = `  signage-export run --config ${'x'.repeat(40)} --lake there`;
  expect(wrapped(`  one two three four\n${command}\nshort ${'y'.repeat(20)}`, 12).split('\n')).toEqual([
    '  one two',
    '  three four',
    command,
    'short',
    'y'.repeat(20),
  ]);
});
