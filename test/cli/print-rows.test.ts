import { expect, it, vi } from 'vitest';
import { printRows } from '#cli/print-rows.ts';

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
    'csv',
  );
  spy.mockRestore();
  expect(written.join('')).toBe('a,"b ""c"""\r\n"",\r\n"x,y","line\nbreak"\r\n1,"""quoted"""\n');
});
