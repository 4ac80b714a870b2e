import { expect, it } from 'vitest';
import { FINDINGS } from '#lib/report/findings.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';

const SQL =
  'select license_type, used, available, used_share, used_a_day, days_to_exhaustion from license_utilisation order by license_type';

it('license_utilisation follows the trend over a gap of days, and guards totals of 0', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const licenses = (used: number) => [
    { Type: 'Growing', TotalCount: 20, AvailableCount: 20 - used },
    { Type: 'Gone', TotalCount: 5, AvailableCount: 0 },
    { Type: 'Shrinking', TotalCount: 50, AvailableCount: 10 + used },
    { Type: 'Zero', TotalCount: 0, AvailableCount: 0 },
  ];
  // 2 a day: 6 on the 19th, 8 on the 20th, 10 on the 21st, none on the 22nd and 23rd, 16 on the 24th.
  await lab.run('2026-11-19T03:00:00Z', { licenses: licenses(6) });
  await lab.run('2026-11-20T03:00:00Z', { licenses: licenses(8) });
  await lab.run('2026-11-21T03:00:00Z', { licenses: licenses(10) });
  const trend = 'select used_a_day, days_to_exhaustion from license_utilisation';
  expect(await lab.rows(`${trend} where license_type = 'Growing'`)).toEqual([
    { used_a_day: null, days_to_exhaustion: null },
  ]);
  await lab.run('2026-11-24T03:00:00Z', { licenses: licenses(16) });
  expect(await lab.rows(SQL)).toEqual([
    { license_type: 'Gone', used: 5, available: 0, used_share: 1, used_a_day: 0, days_to_exhaustion: 0 },
    {
      license_type: 'Growing',
      used: 16,
      available: 4,
      used_share: 0.8,
      used_a_day: 2,
      days_to_exhaustion: 2,
    },
    {
      license_type: 'Shrinking',
      used: 24,
      available: 26,
      used_share: 0.48,
      used_a_day: -2,
      days_to_exhaustion: null,
    },
    {
      license_type: 'Zero',
      used: 0,
      available: 0,
      used_share: null,
      used_a_day: 0,
      days_to_exhaustion: null,
    },
  ]);
});

it('license_utilisation knows no trend after one run', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z', { licenses: [{ Type: 'Player', TotalCount: 4, AvailableCount: 1 }] });
  expect(await lab.rows(SQL)).toEqual([
    {
      license_type: 'Player',
      used: 3,
      available: 1,
      used_share: 0.75,
      used_a_day: null,
      days_to_exhaustion: null,
    },
  ]);
});

it('license_utilisation follows 30 days: what was 30 days before the last one is no part of its trend', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const licenses = (used: number) => [{ Type: 'Player', TotalCount: 100, AvailableCount: 100 - used }];
  await lab.run('2026-10-22T03:00:00Z', { licenses: licenses(90) });
  for (const day of [18, 19, 20, 21])
    await lab.run(`2026-11-${day}T03:00:00Z`, { licenses: licenses(2 * day) });
  expect(await lab.rows('select used_a_day, days_of_trend from license_utilisation')).toEqual([
    { used_a_day: 2, days_of_trend: 4 },
  ]);
});

it('the page warns of licences that last 30 days, and not of those that last longer', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const licenses = (day: number) =>
    [60, 61, 62].map((left) => ({
      Type: `${left} left`,
      TotalCount: 100,
      AvailableCount: left + 2 * (21 - day),
    }));
  for (const day of [18, 19, 20, 21]) await lab.run(`2026-11-${day}T03:00:00Z`, { licenses: licenses(day) });
  const days = await lab.rows('select days_to_exhaustion as days from license_utilisation order by 1');
  expect(days).toEqual([{ days: 30 }, { days: 30.5 }, { days: 31 }]);
  const finding = FINDINGS.find(({ id }) => id === 'licences-running-out');
  expect(finding?.many).toContain('within 30 days');
  expect(await lab.rows(`select license_type as type from ${finding?.view} where ${finding?.where}`)).toEqual(
    [{ type: '60 left' }],
  );
});
