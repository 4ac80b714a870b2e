import { expect, it } from 'vitest';
import { csvOf } from '#lib/report/page/csv.ts';
import { HOSTILE } from './hostile-lake.ts';

it('the page’s CSV has the rows that were found, each cell as text or figure, and no formula whatever the names are', async () => {
  const names = [...HOSTILE, 'a "quoted", name', 'two\r\nlines', null];
  const csv = csvOf(
    {
      columns: [
        { label: 'Name', kind: 'text' },
        { label: 'Count', kind: 'number' },
      ],
    },
    names.map((name, row) => [name, -row]).slice(1),
    (text) => `${text}!`,
  );
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await csv.arrayBuffer());
  expect(text).toBe(
    [
      '\uFEFFName!,Count!',
      '</script><script>window.hacked=1</script>,-1',
      "'=cmd|' /C calc'!A0,-2",
      '"""><svg onload=window.hacked=1>",-3',
      "'+1+1,-4",
      "'@SUM(A1),-5",
      "'-2+3,-6",
      'line\u2028separator & \u0007bell,-7',
      '"a ""quoted"", name",-8',
      '"two\r\nlines",-9',
      ',-10',
      '',
    ].join('\r\n'),
  );
});
