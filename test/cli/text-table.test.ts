import { tmpdir } from 'node:os';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { printRows, type RowsOptions } from '#cli/print-rows.ts';
import { roundedText } from '#cli/rounded.ts';
import { note, say } from '#cli/say.ts';
import { chooseColor, painted, wrapped } from '#cli/terminal.ts';
import { textTable } from '#cli/text-table.ts';
import { openDuckDb, type QueryResult } from '#lib/runtime/duckdb.ts';
import { log } from '#lib/runtime/log.ts';

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
  const broken = ['  one two', '  three four', command, 'short', 'y'.repeat(20)];
  expect(wrapped(`  one two three four\n${command}\nshort ${'y'.repeat(20)}`, 12).split('\n')).toEqual(
    broken,
  );
});

function printed(values: readonly unknown[], options: RowsOptions): string {
  return printedResult({ columns: ['a'], types: ['VARCHAR'], rows: values.map((value) => [value]) }, options);
}

function printedResult(result: QueryResult, options: RowsOptions): string {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  printRows(result, options);
  spy.mockRestore();
  return written.join('');
}

it('safe CSV has no formula, and numbers are numbers', () => {
  const formulas = ['=1+1', '+49 30 1234', '-cmd', '@sum', '\tx'];
  const safe = printed([...formulas, '-5', -5, 'a=b'], { format: 'csv', safe: true });
  const shown = [...formulas.map((each) => `'${each}`), '-5', '-5', 'a=b'];
  expect(safe).toBe(['a', ...shown, ''].join('\r\n'));
  expect(printed(['=1+1'], { format: 'csv' })).toBe('a\r\n=1+1\r\n');
});

it('no column of a query is lost in JSON, whatever it is called', async () => {
  const options = { folders: [], spillTo: tmpdir(), memoryLimitMiB: 64, threads: 1 };
  using db = await openDuckDb(options);
  const result = await db.ask('select 1 as "__proto__", 2 as constructor, 3 as "a", 4 as "a"');
  expect(printedResult(result, { format: 'json' })).toBe('[{"__proto__":1,"constructor":2,"a":3,"a:1":4}]\n');
});

it('what would steer a terminal is shown as signs in all that a command says, on both outputs, and in the log of a stage', () => {
  const written: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
  );
  const name = 'Foyer \u202Egnp\u2028\u0085\u001b[2J';
  say(name);
  note(name);
  log('info', 'ends', { stage: 'list', source: name });
  for (const spy of spies) spy.mockRestore();
  const shown = 'Foyer \\u202egnp\\u2028\\u0085\\u001b[2J';
  expect(written).toEqual([`${shown}\n`, `${shown}\n`, expect.stringContaining(`"source":"${shown}"`)]);
});

it('CSV tells a null from a text without characters, and quotes what needs it', () => {
  const rows = [
    ['', null],
    ['x,y', 'line\nbreak'],
    [1n, '"quoted"'],
  ];
  const result = { columns: ['a', 'b "c"'], types: ['VARCHAR', 'VARCHAR'], rows };
  expect(printedResult(result, { format: 'csv' })).toBe(
    'a,"b ""c"""\r\n"",\r\n"x,y","line\nbreak"\r\n1,"""quoted"""\r\n',
  );
});
