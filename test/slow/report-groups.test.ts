import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { viewLab } from '../queries/view-lab.ts';
import { type PageLab, pageLab } from '../report/page-lab.ts';

const LAST = '2026-11-24T03:00:00Z';
const CITIES = ['Berlin', 'Hof', ''];

let pages: PageLab;

beforeAll(async () => {
  await using hours = await hoursFile(['Berlin,Mon-Sun,09:00,20:00,Europe/Berlin']);
  const lab = await viewLab({ config: { groups: ['City', 'CustomId'], hours: hours.path } });
  for (const day of ['21', '22', '23', '24'])
    await lab.run(`2026-11-${day}T03:00:00Z`, dayOf(`2026-11-${day}T03:00:00Z`));
  pages = await pageLab(lab, LAST);
});

afterAll(() => pages?.[Symbol.asyncDispose]());

/** 30 players in three places, one of which is also written with a space, of two customers; in Berlin every third is offline, and its screen is off since the day before at noon. */
function dayOf(runTime: string) {
  const before = (hours: number) => new Date(Date.parse(runTime) - hours * 3_600_000).toISOString();
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);
  const isDown = (id: number) => id % 9 === 0;
  const screen = (id: number) => {
    const LastStatusChange = before(isDown(id) ? 15 : 400);
    return { Id: 1, Number: 1, IsOn: !isDown(id), LastUpdate: before(1), LastStatusChange };
  };
  return {
    players: ids.map((Id) => ({
      ...{ Id, Name: `P${Id}`, City: Id === 1 ? 'Hof ' : CITIES[Id % 3], CustomId: Id % 2 },
      LastAccess: before(isDown(Id) ? 20 : 1),
    })),
    screens: Object.fromEntries(ids.map((id) => [id, [screen(id)]])),
  };
}

const open = () => pages.open({ now: LAST });

const value = async (page: Page, tile: string) =>
  (await page.locator(`#tile-${tile} .value`).innerText()).replaceAll(/\s+/g, ' ');
const names = (page: Page, table: string) =>
  page.locator(`#${table} tbody tr td:first-child`).allInnerTexts();

describe('the page by group', () => {
  it('cuts tiles, trends and lists by a city or a customer, and shows all again', async () => {
    await using opened = await open();
    const { page } = opened;
    // Of 9, 18 and 27 all are in Berlin, for these are the multiples of 3.
    expect(await value(page, 'players')).toBe('27 of 30 expected (90%)');
    const options = (list: string) =>
      page.locator(`${list} option`).evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    expect(await options('#values-0')).toEqual(['Berlin', '(none)', 'Hof', 'Hof ']);
    expect(await options('#values-1')).toEqual(['0', '1']);
    const [city, customer] = [page.getByLabel('City'), page.getByLabel('CustomId')];
    const isGrey = (tile: string) => page.locator(`#tile-${tile}.whole`).count();
    await city.fill('Berlin');
    await expect.poll(() => value(page, 'players')).toBe('7 of 10 expected (70%)');
    expect(await value(page, 'screens')).toBe('7 of 10 expected (70%)');
    const verdict = /^Berlin: 7 of 10 expected players are online; 7 of 10 screens are on, 3 off; data of/;
    expect(await page.locator('.verdict').innerText()).toMatch(verdict);
    expect([await isGrey('licenses'), await isGrey('players')]).toEqual([1, 0]);
    expect(await page.locator('#attention .of-all').isVisible()).toBe(true);
    const label =
      'Players by health. 4 days, the newest 24 Nov 2026: Online 7, Offline 3, Never seen 0, Unknown 0.';
    expect(await page.locator('#chart-players .chart').getAttribute('aria-label')).toBe(label);
    expect((await names(page, 'players')).toSorted()).toEqual(['P18', 'P27', 'P9']);
    await city.fill('Ho');
    expect(await value(page, 'players')).toBe('7 of 10 expected (70%)');
    const playersOf = async (choice: typeof city, text: string, told: string) => {
      await choice.fill(text);
      await expect.poll(() => value(page, 'players')).toBe(told);
    };
    await playersOf(city, 'Hof', '9 of 9 expected (100%)');
    expect(await names(page, 'players')).toEqual(['None.']);
    await playersOf(city, 'Hof ', '1 of 1 expected (100%)');
    await playersOf(city, ' Hof ', '9 of 9 expected (100%)');
    await playersOf(customer, '1', '13 of 15 expected (86.6%)');
    expect(await city.inputValue()).toBe('');
    expect((await names(page, 'players')).toSorted()).toEqual(['P27', 'P9']);
    await playersOf(customer, '', '27 of 30 expected (90%)');
    expect(await isGrey('licenses')).toBe(0);
    expect(await page.locator('#attention .of-all').isVisible()).toBe(false);
  });

  it('says in a tile, a finding and a list what was off while its place was open, and all three agree', async () => {
    await using opened = await open();
    const { page } = opened;
    expect(await value(page, 'hours')).toBe('3 of 10 screens (30%)');
    expect(pages.data.findings.find(({ id }) => id === 'off-in-hours')?.count).toBe(3);
    expect((await names(page, 'hours')).toSorted()).toEqual(['P18', 'P27', 'P9']);
    // Off at 12:00 UTC, 13:00 in Berlin, where it closed at 20:00.
    const missed = await page.locator('#hours tbody tr td:nth-child(5)').allInnerTexts();
    expect(missed).toEqual(Array(3).fill('7 hrs'));
    expect(await pages.lab.cells('select sum(missed_hours_day) from off_in_hours')).toEqual([[21]]);
  });
});
