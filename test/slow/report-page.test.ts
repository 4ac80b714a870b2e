import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportData } from '#lib/report/report-data.ts';
import { HOSTILE, hostileLake, RUN_TIME } from '../report/hostile-lake.ts';
import { axeFaults } from '../report/open-page.ts';
import { type PageLab, pageLab } from '../report/page-lab.ts';
import { drawn } from '../support/drawn.ts';

const HOUR_MS = 3_600_000;

let pages: PageLab;

beforeAll(async () => {
  pages = await pageLab(await hostileLake(), RUN_TIME);
});

afterAll(() => pages?.[Symbol.asyncDispose]());

/** The page with a clock that is an hour after the run, or so many. */
const open = (
  { hours = 1, ...settings }: BrowserContextOptions & { hours?: number } = {},
  other?: ReportData,
) => pages.open({ now: Date.parse(RUN_TIME) + hours * HOUR_MS, ...settings }, other);

const column = (page: Page, table: string, index: number) =>
  page.locator(`#${table} tbody tr td:nth-child(${index})`).allInnerTexts();

describe('the page', () => {
  it('draws its charts, says nothing on the console and asks for nothing but itself', async () => {
    await using opened = await open();
    const { page } = opened;
    const charts = page.locator('.chart svg');
    expect(await charts.count()).toBe(6);
    // The hours of each of the four days are its own; two lines that are one are said to be.
    expect(await page.locator('#chart-uptime tbody tr').count()).toBe(4);
    // The sampling error is a band around the share, and no line.
    expect(await page.locator('#chart-uptime svg path[fill-opacity="0.4"]').count()).toBe(1);
    const oneLine = 'Transfers and Players waiting for files lie on one line';
    expect(await page.locator('#chart-transfers').textContent()).toContain(oneLine);
    expect(await page.locator('#chart-licenses').textContent()).not.toContain('on one line');
    for (const chart of await charts.all()) expect(await chart.locator('path').count()).toBeGreaterThan(8);
    const label = 'Screens by state. 4 days, the newest 22 Nov 2026: On 10, Off 0, Stale 30, Unknown 0.';
    expect(await page.locator('.chart').first().getAttribute('aria-label')).toBe(label);
    await page.locator('.chart').first().hover();
    expect(opened.said).toEqual([]);
    expect(opened.asked).toEqual([pages.url]);
  });

  it('says first how fresh it is, and warns once it is old', async () => {
    await using fresh = await open();
    const asOf = 'As of 22 Nov 2026, 04:00 (1 hour ago), times in Europe/Berlin. Newest run: complete';
    expect(await fresh.page.locator('.fresh').textContent()).toBe(asOf);
    const verdict =
      '8 of 40 expected players are online; none went offline since 21\u00a0Nov; 10 of 40 screens are on, 30 stale; data of 04:00.';
    expect(await fresh.page.locator('.verdict').textContent()).toBe(verdict);
    expect(await fresh.page.getByRole('alert').count()).toBe(0);
    // A run is due at three o'clock, and may take three hours.
    await using due = await open({ hours: 25 });
    expect(await due.page.getByRole('alert').count()).toBe(0);
    await using old = await open({ hours: 28 });
    expect(await old.page.getByRole('alert').textContent()).toContain('These figures are old.');
  });

  it('says what needs attention, the worst by name', async () => {
    await using opened = await open();
    const first = opened.page.locator('#attention li.card').first();
    expect(await first.locator('.finding-head').textContent()).toBe('28expected players are offlinenow');
    expect(await first.locator('.worst b').allTextContents()).toEqual(['39 hrs', '38 hrs', '37 hrs']);
    expect(await opened.page.locator('#attention .finding-head').allTextContents()).toEqual([
      '28expected players are offlinenow',
      '8screens are stale although their players are not offlinenow',
      '1player has stuck transfersnow',
      '1backup slot is full to 90 % or morenow',
      '1backup slot was never backed upsoon',
      '4expected players were never seensoon',
    ]);
  });

  it('sorts by a click and by the keyboard, and says which way', async () => {
    await using opened = await open();
    const { page } = opened;
    const head = page.locator('#screens th', { hasText: 'For' });
    expect((await column(page, 'screens', 5))[0]).toBe('4 days');
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await head.getByRole('button').press('Enter');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    // Screen 30 has been silent for 70 hours, the shortest.
    expect((await column(page, 'screens', 5))[0]).toBe('3 days');
    expect((await column(page, 'screens', 1))[0]).toBe('Player 30');
  });

  it('filters by words, and says how many rows are left', async () => {
    await using opened = await open();
    const { page } = opened;
    const said = page.locator('#screens [role=status]');
    expect(await said.textContent()).toBe('15 of 30.');
    await page.getByRole('button', { name: 'Show more' }).first().click();
    expect(await page.locator('#screens tbody tr').count()).toBe(30);
    const filter = page.getByLabel('Filter Screens off or stale');
    for (const text of ['player 25', 'PLÀYER 25']) {
      await filter.fill(text);
      expect(await column(page, 'screens', 1)).toEqual(['Player 25']);
      expect(await said.textContent()).toBe('1 of 1 that match.');
    }
    await filter.fill('nothing like it');
    expect(await page.locator('#screens tbody').textContent()).toBe('Nothing matches the filter.');
  });

  it('shows hostile names as text, and runs nothing of them', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('button', { name: 'Show more' }).first().click();
    const names = await column(page, 'screens', 1);
    const steering = (name: string) => name.replace('\u2028', '\\u2028').replace('\u0007', '\\u0007');
    for (const name of HOSTILE) expect(names).toContain(steering(name));
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
    expect(await page.locator('img, svg[onload]').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(3);
    expect(opened.said).toEqual([]);
  });

  it('is in German where the reader is, or where it was asked for, in the config’s zone', async () => {
    await using german = await open({ locale: 'de-DE', timezoneId: 'America/New_York' });
    expect(await german.page.evaluate('document.documentElement.lang')).toBe('de');
    expect(await german.page.locator('.fresh time').textContent()).toBe('22.11.2026, 04:00');
    expect(await column(german.page, 'licenses', 5)).toEqual(['80\u00a0%', '–']);
    const verdict =
      '8 von 40 erwarteten Playern sind online; seit 21.\u00a0Nov. ging keiner offline; 10 von 40 Bildschirmen sind an, 30 stumm; Daten von 04:00.';
    expect(await german.page.locator('.verdict').textContent()).toBe(verdict);
    await using french = await open({ locale: 'fr-FR' }, { ...pages.data, language: 'de' });
    expect(await french.page.locator('#attention-title').textContent()).toBe('Handlungsbedarf');
    const tile = await french.page.locator('#tile-backup .value').textContent();
    expect(tile).toMatch(/^59\s% der 100\sGB aller Plätze$/);
  });

  it('says of how many players and screens it is not known whether they are on', async () => {
    const { data } = pages;
    const days = (value: number) => data.trend.dates.map(() => value);
    const unknown = { expected_players_unknown: days(3), expected_screens_unknown: days(5) };
    const out = { expected_screens_off: days(2), expected_screens_stale: days(0) };
    const series = { ...data.trend.series, ...unknown, ...out };
    await using opened = await open({}, { ...data, trend: { ...data.trend, series } });
    const verdict =
      /^8 of 40 expected players are online, 3 are not known; none went offline since [^;]+; 10 of 40 screens are on, 2 off, 5 not known; /;
    expect(await opened.page.locator('.verdict').textContent()).toMatch(verdict);
  });

  it('tells at 390 px apart what it tells apart on a wide screen', async () => {
    const first = async (page: Page) => (await column(page, 'screens', 1))[0];
    await using opened = await open({ viewport: { width: 390, height: 844 } });
    expect(await first(opened.page)).toMatch(/\n1 .+script> · .+>$/);
    await using wide = await open();
    expect(await first(wide.page)).not.toContain('script>');
    // One source alone has screens: its name in every row would tell nothing apart.
    expect(await wide.page.locator('#screens thead').textContent()).not.toContain('Source');
  });

  it('changes its theme, and keeps to paper’s colours in print', async () => {
    await using opened = await open({ colorScheme: 'dark' });
    const { page } = opened;
    const color = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await color();
    await page.getByRole('button', { name: 'Light theme' }).click();
    expect(await color()).not.toBe(dark);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav').isVisible()).toBe(false);
  });

  // In CSS pixels, between margins of 12 mm.
  const papers = [703, 725].flatMap((width) => ['de-DE', 'en-GB'].map((locale) => [width, locale] as const));
  it.each(papers)('is printed whole on A4 or Letter, %d px, in %s', async (width, locale) => {
    await using opened = await open({ locale, viewport: { width, height: 900 } });
    const { page } = opened;
    await page.emulateMedia({ media: 'print' });
    const labels = (all: string, isCut: string) =>
      page.evaluate(
        `[...document.querySelectorAll('${all}')].filter(${isCut}).map((each) => each.ariaLabel)`,
      );
    const isWide =
      "(place) => [...place.querySelectorAll(':scope > table')].some((table) => table.scrollWidth > place.clientWidth + 1)";
    expect(await labels(':has(> table)', isWide)).toEqual([]);
    // Charts get their new width a moment later.
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.locator('#players thead th:visible').count()).toBe(6);
    // Charts are in pairs, each within its card, as the browser draws them for paper.
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    const figures = page.locator('.charts > figure');
    const topOf = async (index: number) => (await figures.nth(index).boundingBox())?.y;
    expect(await topOf(1)).toBe(await topOf(0));
    const isCut = "(chart) => chart.querySelector('svg').clientWidth > chart.clientWidth";
    expect(await labels('.charts .chart', isCut)).toEqual([]);
  });

  const looks = ['en-GB', 'de-DE'].flatMap((locale) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [390, 768, 1280].map((width) => [colorScheme, width, locale] as const),
    ),
  );

  it.each(drawn(looks))('has no fault for axe: %s, %d px, %s', async (colorScheme, width, locale) => {
    const viewport = { width, height: 900 };
    await using opened = await open({ locale, colorScheme, viewport, bypassCSP: true });
    const { page } = opened;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await axeFaults(page)).toEqual([]);
  });
});
