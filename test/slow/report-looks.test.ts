import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { viewLab } from '../queries/view-lab.ts';
import { type PageLab, pageLab } from '../report/page-lab.ts';

const GB = 1_000_000_000;
const NOW = '2026-11-22T10:00:00Z';

let pages: PageLab;

beforeAll(async () => {
  await using hours = await hoursFile(['*,Mon-Sun,08:00,18:00,UTC']);
  const lab = await viewLab({
    config: { groups: ['City'], hours: hours.path, timeZone: 'UTC', targets: { '*': 0.9 } },
  });
  // Of Hof and Ulm one screen goes off between two runs: by 10:00 in Hof for certain, in Ulm perhaps in the last night.
  const off = ['', '2026-11-21T16:00:00Z', '2026-11-22T09:00:00Z'];
  for (const time of ['21T09', '21T17', '22T07', '22T10'].map((each) => `2026-11-${each}:00:00Z`))
    await lab.run(time, {
      players: ['Hof', 'Ulm', 'Aue'].map((City, index) => ({ Id: index + 1, City, LastAccess: time })),
      screens: Object.fromEntries(
        [1, 2, 3].map((id) => [id, [{ Id: 1, IsOn: time < (off[id] ?? '3'), LastUpdate: time }]]),
      ),
      backup_storages: [{ id: 1, customer_name: 'S1', size: 9 * GB, expired_at: '2027-01-05T12:00:00Z' }],
      backup_slots: {
        1: [GB, null].map((storage_used, at) => ({ id: 11 + at, size: 5 * GB, storage_used })),
      },
    });
  pages = await pageLab(lab, NOW);
});

afterAll(() => pages?.[Symbol.asyncDispose]());

const NOTHING_UNKNOWN = { players: [], screens: [], hours: [], transfers: [], licenses: [], backup: [] };

const first = (page: Page, table: string) =>
  page.locator(`#${table} tbody tr td:first-child`).allInnerTexts();

it('on a phone places have their possible error and target, and storages their expiry, each with its word', async () => {
  const viewport = { width: 390, height: 844 };
  await using opened = await pages.open({ now: NOW, viewport });
  const [hof, ulm] = await first(opened.page, 'places');
  expect(hof).toMatch(/^city=Hof\nPossible error: [\d.]+% · Target: 90%$/);
  expect(ulm).toMatch(/^city=Ulm\nPossible error: [\d.]+% · Target: 90%$/);
  expect((await first(opened.page, 'storages'))[0]).toMatch(/^S1\nExpires: 5 Jan 2027, \d\d:00$/);
  await using wide = await pages.open({ now: NOW });
  expect(await first(wide.page, 'places')).toEqual(['city=Hof', 'city=Ulm']);
});

it('the tile of screens off in opening hours has the least and the most that it may be', async () => {
  expect(pages.data.hours).toEqual({ screens: 3, unknown: 0, least: 1, most: 2 });
  await using opened = await pages.open({ now: NOW, locale: 'de-DE' });
  expect(await opened.page.locator('#tile-hours .note').innerText()).toBe(
    'In den letzten 24 Stunden; 1 bis 2, denn einige schalteten zwischen zwei Läufen; 0 nicht bekannt',
  );
  const linesOf = async (part: string) =>
    (await opened.page.locator(part).first().innerText()).replaceAll('\u00a0', ' ').split(/\s*\n\s*/);
  const share = ['mindestens', '1', 'von 3 Bildschirmen (33,3 % – 66,7 %)'];
  expect(await linesOf('#tile-hours .value')).toEqual(share);
  const finding = '#attention li.card:has(a[href="#hours"]) .finding-head';
  const off = 'Bildschirm war aus, während sein Standort geöffnet war';
  expect(await linesOf(finding)).toEqual(['mindestens', '1', off, 'jetzt']);
  // Nothing is in order for certain while a screen may have been off.
  const calm = { ...pages.data, findings: [], notKnown: NOTHING_UNKNOWN };
  await using unsure = await pages.open({ now: NOW }, calm);
  expect(await unsure.page.locator('#attention .calm').innerText()).toMatch(/^Nothing that is known needs/);
});

it('a head ends where its figures do, whatever it is sorted by', async () => {
  await using opened = await pages.open({ now: NOW });
  const { page } = opened;
  await page.locator('#storages th', { hasText: 'Used share' }).getByRole('button').click();
  const apart = await page.evaluate(`[...document.querySelectorAll('#storages th.figure')].map((head) => {
    const cell = document.querySelector('#storages tbody tr').children[[...head.parentElement.children].indexOf(head)];
    const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
    const text = document.createRange();
    text.selectNodeContents(head.querySelector('button'));
    return Math.round(end - text.getBoundingClientRect().right);
  })`);
  expect(apart).toEqual(Array(5).fill(0));
});

it('"at least" is a line of its own above the figure, which no language breaks', async () => {
  await using opened = await pages.open({ now: NOW, locale: 'de-DE' });
  const tile = await opened.page.locator('#tile-backup .value').innerText();
  expect(tile.replaceAll('\u00a0', ' ')).toBe('mindestens\n10 %\nder 10 GB aller Plätze');
  // Where nobody knows how many players wait, the tile has no whole, and says why in place of its note.
  const { trend } = pages.data;
  const untold = { players_stuck: [null], players_waiting: [null], pending_transfers: [null] };
  const notKnown = { ...NOTHING_UNKNOWN, transfers: [{ text: 'One source did not answer.' }] };
  const stuck = { stuck: 4, trend: { ...trend, series: { ...trend.series, ...untold } }, notKnown };
  await using unsure = await pages.open({ now: NOW }, { ...pages.data, ...stuck });
  const said = (await unsure.page.locator('#tile-transfers').innerText()).split(/\s*\n\s*/);
  expect(said).toEqual(['Players with stuck transfers', 'at least', '4', 'One source did not answer.']);
});

it('news of a part of the sources are at least so many, and a finding then says of none that it is not new', async () => {
  const { data } = pages;
  const kinds = data.news.kinds.map((each) => ({
    ...{ ...each, unknown: { '1': 2, '7': 0, '30': 0 } },
    ...{ counts: { '1': 3, '7': 4, '30': null }, isLeast: { '1': true, '7': false, '30': true } },
  }));
  const finding = data.findings[0] ?? expect.fail();
  const findings = [0, 1, 2, 0].map((newCount, at) => ({ ...finding, newCount, isNewLeast: at < 2 }));
  const news = { ...data.news, kinds };
  await using opened = await pages.open({ now: NOW }, { ...data, news, findings });
  const cells = opened.page.locator('#news table.counts tbody tr').first().locator('td');
  expect(await cells.allInnerTexts()).toEqual(['at least 3 (2 not known)', '4', '–']);
  const notes = await opened.page.locator('#attention li.card > .note').allInnerTexts();
  expect(notes.map((note) => /(None is n|N)ew since.*/.exec(note)?.[0])).toEqual([
    ...[undefined, 'New since 21 Nov: at least 1.', 'New since 21 Nov: 2.', 'None is new since 21 Nov.'],
  ]);
});
