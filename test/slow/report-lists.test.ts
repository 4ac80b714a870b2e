import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell, ReportData, ReportTable } from '#lib/report/report-data.ts';
import { dice } from '#simulator/dice.ts';
import { hostileLake, RUN_TIME } from '../report/hostile-lake.ts';
import { type PageLab, pageLab } from '../report/page-lab.ts';

const PLAYERS = 100_000;
/** The most rows that a table of the page has. */
const HELD = 2000;
const PAGE_BYTES = 1_500_000;
let pages: PageLab;

beforeAll(async () => {
  pages = await pageLab(await hostileLake(), RUN_TIME, withLongLists);
});

afterAll(() => pages?.[Symbol.asyncDispose]());

const CITIES = ['München', 'Köln', 'Łódź', 'Paris', 'Wien', 'Straßburg', 'Zürich', 'Malmö', 'Hof', 'Ulm'];

/** What is offline or silent of an installation that has lost its network: the first of every player and screen. */
function withLongLists(data: ReportData): ReportData {
  const { below } = dice(21);
  const cellsOf = (row: number): Record<string, Cell> => {
    const id = 100_000 + below(PLAYERS) * 7;
    const city = CITIES[id % CITIES.length] ?? '';
    const silent = 800 - row / 3;
    const at = new Date(Date.parse(RUN_TIME) - silent * 3_600_000).toISOString();
    return {
      ...{ Player: `${city} Filiale ${id}`, City: city, 'Player id': `${id}`, Licence: 'Premium' },
      ...{ Source: id % 3 === 0 ? 'berlin' : 'zurich', Screen: `${1 + (row % 3)}`, Transfers: id % 13 },
      ...{ Health: 'offline', State: 'stale', 'Not seen for': silent, For: silent },
      ...{ 'Last seen': at, Since: at },
    };
  };
  const rows = (table: ReportTable) =>
    Array.from({ length: HELD }, (_, row) => {
      const cells = cellsOf(row);
      return table.columns.map(({ label }) => cells[label] ?? null);
    });
  const tables = data.tables.map((table) =>
    ['players', 'screens'].includes(table.id) ? { ...table, rows: rows(table), total: PLAYERS } : table,
  );
  return { ...data, tables, playerUrls: { berlin: 'https://cms.example.com/#/p/{id}' } };
}

/** Its times are measured, so its clock goes. */
const open = () => pages.open();

const said = (page: Page) => page.locator('#players [role=status]');
const FILTER = 'Filter Players offline or never seen';

describe(`lists of ${PLAYERS.toLocaleString('en')} players`, () => {
  it('are a page under 1.5 MB', async () => {
    const { size: bytes } = await stat(fileURLToPath(pages.url));
    console.info(`page: ${bytes} bytes`);
    expect(bytes).toBeLessThan(PAGE_BYTES);
  });

  it('say how long they are, are filtered without accents, link to the player where the config says its address, and are downloaded as CSV', async () => {
    await using opened = await open();
    const { page } = opened;
    expect(await said(page).textContent()).toBe(
      "15 of 100,000. The page holds the first 2,000. All: select * from player_health where health in ('offline', 'never seen') and is_expected",
    );
    await page.getByLabel(FILTER).fill('lodz berlin');
    await expect.poll(() => said(page).textContent()).toMatch(/^15 of \d\d that match\./);
    const row = page.locator('#players tbody tr').first();
    const name = (await row.locator('td').first().locator('a').textContent()) ?? '';
    const address = `https://cms.example.com/#/p/${name.split(' ').at(-1)}`;
    expect(await row.locator('a').getAttribute('href')).toBe(address);
    await page.getByLabel(FILTER).fill('munchen zurich');
    await expect.poll(() => page.locator('#players tbody a').count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download Players offline or never seen as CSV' }).click(),
    ]);
    const csv = (await buffer(await download.createReadStream())).toString();
    const lines = csv.split('\r\n').slice(0, -1);
    expect(download.suggestedFilename()).toBe('players.csv');
    expect(lines[0]).toBe(
      '\uFEFFPlayer,City,Health,Not seen for,Last seen,Licence,Transfers,Player id,Source',
    );
    const [, count] = /of ([\d,]+) that/.exec((await said(page).textContent()) ?? '') ?? [];
    expect(`${lines.length - 1}`).toBe(count?.replace(',', ''));
    expect(lines.slice(1).every((line) => line.includes('München') && line.endsWith('zurich'))).toBe(true);
  });
});
