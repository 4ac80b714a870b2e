import { expect, it } from 'vitest';
import { viewLab } from '../queries/view-lab.ts';
import { axeFaults } from '../report/open-page.ts';
import { pageLab } from '../report/page-lab.ts';
import { someOf } from '../support/some-of.ts';

const NOW = '2026-11-21T04:00:00Z';
const LastStatusChange = '2026-11-20T15:00:00Z';
const IDS = {
  players: [{ Id: 1 }, { Id: 2 }],
  licenses: [{ Id: 1 }],
  screens: { 1: [{ Id: 11, LastStatusChange }], 2: [{ Id: 12 }] },
  pending_file_transfers: { 1: [{ Id: 7 }] },
};

it('the page of ids and LastStatusChange alone says what is not known, and shows no 0 for it', async () => {
  const verdict =
    '2 players are expected; whether they are online is not known; whether the 2 screens are on is not known; data of 04:00; vault: no answer yet.';
  const devices = 'Not known of 2 expected';
  const tiles = [devices, devices, 'Not known of 1 waiting for files', 'Not known'];
  const lab = await viewLab();
  await lab.run('2026-11-20T15:00:00Z', IDS, ['berlin']);
  await lab.run('2026-11-21T03:00:00Z', IDS, ['berlin']);
  await using pages = await pageLab(lab, NOW);
  for (const width of [390, 768, 1280]) {
    const viewport = { width, height: 900 };
    await using opened = await pages.open({ now: NOW, locale: 'en-GB', viewport, bypassCSP: true });
    const { page } = opened;
    expect(await page.locator('.verdict').textContent()).toBe(verdict);
    // Nobody asked a backup API: it has no tile.
    expect(await page.locator('.tile .value').allTextContents()).toEqual(tiles);
    // What fixes it is for who looks after the config: it comes once, at the end.
    expect(await page.locator('.tile code, #lists code').count()).toBe(0);
    expect(await page.locator('#about .note code').allTextContents()).toEqual(Array(7).fill('as'));
    // The one thing that this API says of a screen is when it changed.
    expect(await page.locator('#screens-since tbody tr').allTextContents()).toHaveLength(1);
    expect(await page.locator('#screens-since tbody').textContent()).toContain('20 Nov 2026, 16:00');
    for (const tile of someOf(await page.locator('.tile').all())) {
      expect(await tile.locator('.note').count()).toBeGreaterThan(0);
      const box = await tile.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    }
    expect(await page.locator('#comparison tbody').textContent()).not.toMatch(/\b0\s?%/);
    expect(await page.locator('#storages, #slots, #cost').count()).toBe(0);
    const isWide = 'table.scrollWidth > table.parentElement.clientWidth + 1';
    const tables = `[...document.querySelectorAll('section table')].filter((table) => ${isWide})`;
    const wide = await page.evaluate(`${tables}.map((table) => table.parentElement.ariaLabel)`);
    expect([width, wide]).toEqual([width, []]);
    expect(await axeFaults(page)).toEqual([]);
  }
});
