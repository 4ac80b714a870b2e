import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { printRows, type RowsOptions } from '#cli/print-rows.ts';
import { note, say } from '#cli/say.ts';
import { openDuckDb, type QueryResult } from '#lib/runtime/duckdb.ts';
import { log } from '#lib/runtime/log.ts';

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
  const values = ['=1+1', '+49 30 1234', '-cmd', '@sum', '\tx', '-5', -5, 'a=b'];
  expect(printed(values, { format: 'csv', safe: true }).split('\r\n').slice(1)).toEqual([
    "'=1+1",
    "'+49 30 1234",
    "'-cmd",
    "'@sum",
    "'\tx",
    '-5',
    '-5',
    'a=b',
    '',
  ]);
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
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  printRows(
    {
      columns: ['a', 'b "c"'],
      types: ['VARCHAR', 'VARCHAR'],
      rows: [
        ['', null],
        ['x,y', 'line\nbreak'],
        [1n, '"quoted"'],
      ],
    },
    { format: 'csv' },
  );
  spy.mockRestore();
  expect(written.join('')).toBe('a,"b ""c"""\r\n"",\r\n"x,y","line\nbreak"\r\n1,"""quoted"""\r\n');
});
