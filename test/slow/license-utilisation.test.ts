import { expect, it } from 'vitest';
import { FINDINGS } from '#lib/report/findings.ts';
import { type LabRun, labAfter, signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';

const SQL =
  'select license_type, used, available, used_share, used_a_day, days_to_exhaustion from license_utilisation order by license_type';

const DAY_MS = 86_400_000;
const dayOf = (index: number) => new Date(Date.parse('2026-11-01T03:00:00Z') + index * DAY_MS).toISOString();
const of = (Type: string, used: number, TotalCount = 100) => {
  return { Type, TotalCount, AvailableCount: TotalCount - used };
};
/** A run a day, each of which tells these licences. */
const days = (from: number, to: number, licenses: (index: number) => readonly object[]) =>
  Array.from({ length: to - from }, (_, at): LabRun => [dayOf(from + at), { licenses: licenses(from + at) }]);
const labOf = (...runs: readonly LabRun[]) => labAfter(signageViewLab(SIGNAGE_ALONE), runs);

it('license_utilisation follows the trend of 14 days over a gap, where a line fits it, and guards totals of 0', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const licenses = (index: number) => [
    of('Growing', 2 * index, 40),
    of('Gone', 5, 5),
    of('Scattered', index % 2 === 0 ? 10 : 60 + index),
    of('Shrinking', 50 - 2 * index),
    // Bought once: a line through it explains more than half.
    of('Stepped', index < 7 ? 40 : 70),
    of('Zero', 0, 0),
    // Two a day, and so many days are left on the last one.
    ...[30, 30.5, 31].map((days) => of(`${days} days`, 2 * index, 28 + 2 * days)),
  ];
  const shown = async () =>
    Object.fromEntries((await lab.rows(SQL)).map(({ license_type, ...row }) => [license_type, row]));
  for (let index = 0; index < 13; index++) {
    await lab.run(dayOf(index), { licenses: licenses(index) });
    // Neither after one run nor after 13.
    if (index % 12 === 0)
      expect((await shown())['Growing']).toMatchObject({ used_a_day: null, days_to_exhaustion: null });
  }
  // None on the 14th day.
  await lab.run(dayOf(14), { licenses: licenses(14) });
  expect(await shown()).toMatchObject({
    Gone: { used: 5, available: 0, used_share: 1, used_a_day: 0, days_to_exhaustion: 0 },
    Growing: { used: 28, available: 12, used_share: 0.7, used_a_day: 2, days_to_exhaustion: 6 },
    Scattered: { used_a_day: expect.any(Number), days_to_exhaustion: null },
    Stepped: { used: 70, available: 30, used_a_day: expect.any(Number), days_to_exhaustion: null },
    Shrinking: { used: 22, available: 78, used_share: 0.22, used_a_day: -2, days_to_exhaustion: null },
    Zero: { used: 0, available: 0, used_share: null, used_a_day: 0, days_to_exhaustion: null },
    ...Object.fromEntries([30, 30.5, 31].map((left) => [`${left} days`, { days_to_exhaustion: left }])),
  });
  const finding = FINDINGS.find(({ id }) => id === 'licences-running-out');
  expect(finding?.many).toContain('within 30 days');
  const warned = `select license_type from ${finding?.view} where ${finding?.where} order by 1`;
  expect(await lab.cells(warned)).toEqual([['30 days'], ['Gone'], ['Growing']]);
});

it('license_utilisation finds a step on a day that does not say how many are left', async () => {
  const left = (index: number) => (index === 10 ? null : index < 10 ? 50 : 20);
  const told = (index: number) => [{ Type: 'A', TotalCount: 60, AvailableCount: left(index) }];
  await using lab = await labOf(...days(0, 20, told));
  const sql = 'select days_of_trend, days_to_exhaustion from license_utilisation';
  expect(await lab.flat(sql)).toEqual([19, null]);
});

it('license_utilisation follows an even growth over a long time without a run, and a step in it is none', async () => {
  const told = (index: number) => [of('Even', index, 30), of('Step', index < 7 ? 1 : 29, 30)];
  await using lab = await labOf(...days(0, 7, told), ...days(22, 29, told));
  const sql = 'select license_type, days_to_exhaustion from license_utilisation order by 1';
  expect(await lab.flat(sql)).toEqual(['Even', 2, 'Step', null]);
});

it('license_utilisation counts its forecast from the newest run, also if that could not read the licences', async () => {
  await using lab = await labOf(...days(0, 15, (index) => [of('A', index, 20)]));
  const forecast = () =>
    lab.flat('select available, days_to_exhaustion, is_carried from license_utilisation');
  expect(await forecast()).toEqual([6, 6, false]);
  for (const index of [15, 16, 17, 18]) await lab.run(dayOf(index), { licenses: 'denied' });
  expect(await forecast()).toEqual([6, 2, true]);
  for (const index of [19, 20, 21]) await lab.run(dayOf(index), { licenses: 'denied' });
  expect(await forecast()).toEqual([6, 0, true]);
});

it('license_utilisation has no forecast of a rollout that has ended', async () => {
  const told = (index: number) => [of('A', [50, 70, 90, 110][Math.max(0, index - 6)] ?? 110, 150)];
  await using lab = await labOf(...days(0, 15, told));
  const ended = () => lab.flat('select days_to_exhaustion is null, fit > 0.5 from license_utilisation');
  expect(await ended()).toEqual([false, true]);
  for (const run of days(15, 17, told)) await lab.run(...run);
  expect(await ended()).toEqual([true, true]);
});

it('license_utilisation follows 30 days: what was 30 days before the last one is no part of its trend', async () => {
  const told = (index: number) => [of('Player', index === 0 ? 90 : 2 * index)];
  await using lab = await labOf(...days(0, 1, told), ...days(17, 31, told));
  expect(await lab.flat('select used_a_day, days_of_trend, fit from license_utilisation')).toEqual([
    2, 14, 1,
  ]);
});

it('license_utilisation sums the records of one type, whose keys change with their figures, and has their trend', async () => {
  const told = (index: number) => [of('Player', index, 20), of('Player', index, 15), of('Player', 2, 5)];
  await using lab = await labOf(...days(0, 15, told));
  expect(await lab.flat(SQL)).toEqual(['Player', 30, 10, 0.75, 2, 5]);
  await lab.run(dayOf(15), { licenses: [of('Player', 20, 20), of('Player', 15, 15), of('Player', 5, 5)] });
  const news = `select name, value, "before" from news where days = 1 and news = 'licences ran out'`;
  expect(await lab.flat(news)).toEqual(['Player', 0, 10]);
  // One of them does not say how many are left.
  const unsaid = { ...of('Player', 2, 5), AvailableCount: undefined };
  await lab.run(dayOf(16), { licenses: [...told(16).slice(0, 2), unsaid] });
  const sql = 'select total, available, used, days_to_exhaustion from license_utilisation';
  expect(await lab.flat(sql)).toEqual([40, null, null, null]);
});

it('license_utilisation forecasts how many are left: licences that expire count, and a purchase is no trend', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const bought = (index: number) => (index < 25 ? 0 : 50);
  for (let index = 0; index < 33; index++)
    await lab.run(dayOf(index), {
      licenses: [
        of('Bought', index, 50 + bought(index)),
        of('Bought as used', index, index + 5),
        // One a day as they were used, and then many.
        of('Bought again', index, index < 25 ? index + 5 : 100),
        of('Bought slowly', 2 * index, index + 50),
        of('Bought unused', 5, 40 + bought(index)),
        of('Expired at once', 5, 90 - bought(index)),
        of('Expiring', 100 + index, 200 - index),
        of('Expiring unused', 30, 100 - 2 * index),
      ],
    });
  expect(
    await lab.cells(
      'select license_type, available, used_a_day, fewer_a_day, days_to_exhaustion from license_utilisation order by 1',
    ),
  ).toEqual([
    ['Bought', 68, 1, 1, 68],
    ['Bought again', 68, 1, 1, 68],
    ['Bought as used', 5, 1, 0, null],
    ['Bought slowly', 18, 2, 1, 18],
    ['Bought unused', 85, 0, 0, null],
    ['Expired at once', 35, 0, expect.any(Number), null],
    ['Expiring', 36, 1, 2, 18],
    ['Expiring unused', 6, 0, 2, 3],
  ]);
});
