import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openBrowser } from '../report/browser.ts';
import { storyLake } from '../report/story.ts';

const run = promisify(execFile);

it('report writes a page that compares the sources, and a workbook', async () => {
  await using lake = await storyLake({ players: 12, days: 3, gap: [1] });
  const out = join(lake.folder, 'page.html');
  const xlsx = join(lake.folder, 'sheets.xlsx');
  const at = ['--lake', join(lake.folder, 'lake'), '--json'];
  const { stdout } = await run(process.execPath, [
    'cli/main.ts',
    'report',
    '--out',
    out,
    '--xlsx',
    xlsx,
    ...at,
  ]);
  expect(JSON.parse(stdout)).toEqual({ written: [out, xlsx], leftOut: [], notes: [] });
  expect((await stat(xlsx)).size).toBeGreaterThan(10_000);

  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ locale: 'en-GB' });
    await page.goto(pathToFileURL(out).href);
    await page.waitForSelector('#chart-sources svg');
    // Of two days there are bars, and no lines.
    expect(await page.locator('.chart svg').count()).toBe(3);
    const sources = await page.locator('#comparison tbody tr td:first-child').allTextContents();
    expect(sources).toEqual(['berlin', 'zurich', 'vault']);
    // The day without a run is in the charts, and unknown.
    await page.locator('#chart-screens summary').click();
    const days = await page.locator('#chart-screens tbody tr').allTextContents();
    expect(days).toHaveLength(3);
    expect(days[1]).toMatch(/––––$/);
  } finally {
    await browser.close();
  }
}, 90_000);

it('report says where there is nothing to report', async () => {
  const failing = (args: readonly string[]) =>
    run(process.execPath, ['cli/main.ts', 'report', ...args]).then(
      () => undefined,
      (error: { code: number; stderr: string }) => [error.code, error.stderr],
    );
  const missing = await failing(['--lake', '/nonexistent/lake']);
  expect(missing).toEqual([2, expect.stringMatching(/^LAKE_MISSING: /)]);
});
