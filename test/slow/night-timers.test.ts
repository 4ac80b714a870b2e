import { expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';
import { sqlOfQuestion } from '../support/sql-of-questions.ts';

const HOUR_MS = 3_600_000;
/** Timers switch off at 20:00 and on at 08:00 in Berlin, when Bern opens. */
const OFF_AT = 19 * HOUR_MS;
const RUNS = [11, 12, 13, 14, 15].map((day) => `2026-11-${day}T04:00:00Z`);
/** For a day, the screen of the second player is broken. */
const BROKEN_SINCE = '2026-11-12T09:00:00.000Z';

it('no outage of a question is a night timer, where the place has opening hours', async () => {
  await using hours = await hoursFile(['Bern,Mon-Sun,08:00,20:00,Europe/Berlin']);
  await using lab = await signageViewLab({
    config: { groups: ['City'], hours: hours.path, timeZone: 'Europe/Berlin' },
  });
  for (const at of RUNS) {
    const midnight = Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
    const evening = new Date(midnight - 24 * HOUR_MS + OFF_AT).toISOString();
    const screen = (Id: number) => {
      const isBroken = Id === 2 && at.startsWith('2026-11-13');
      return { Id, IsOn: false, LastUpdate: at, LastStatusChange: isBroken ? BROKEN_SINCE : evening };
    };
    await lab.run(at, {
      players: [
        ...[1, 2].map((Id) => ({ Id, Name: `P${Id}`, City: 'Bern', LastAccess: at })),
        { Id: 3, Name: 'P3', City: 'Aue', LastAccess: at },
        // These sleep themselves.
        { Id: 4, Name: 'P4', City: 'Bern', LastAccess: evening },
        { Id: 5, Name: 'P5', City: 'Aue', LastAccess: evening },
      ],
      screens: Object.fromEntries([1, 2, 3].map((Id) => [Id, [screen(Id)]])),
    });
  }
  const ask = async (question: string) => await lab.rows(sqlOfQuestion(question));
  expect(await ask('Which screens flap?')).toMatchObject([{ screen_key: 'berlin/3/3', outages: 5 }]);
  // Four nights in Aue began after the first sight.
  const back = await ask('How long until a screen is back, and how long until the next outage?');
  expect(back).toMatchObject([{ outages: 5 }]);
  const again = await ask('Which players are offline again and again?');
  expect(again).toMatchObject([{ player_name: 'P5', outages: 5 }]);
});

it('a timer that is a little late is no outage, and a repair takes opening hours alone', async () => {
  await using hours = await hoursFile(['Bern,Mon-Sun,09:00,20:00,UTC']);
  await using lab = await signageViewLab({
    config: { groups: ['City'], hours: hours.path, timeZone: 'UTC' },
  });
  const at = (day: number, time: string) => `2026-11-${day}T${time}:00Z`;
  const runs = [11, 12, 13, 14].flatMap((day) =>
    ['03:00', '12:00', '15:10', '18:00'].map((time) => at(day, time)),
  );
  for (const run of [...runs, at(15, '03:00')]) {
    const day = Number(run.slice(8, 10));
    // Each evening all go off, and each morning they come on 90 seconds after the place opens.
    const [evening, morning] = [at(day - 1, '20:00'), `2026-11-${day}T09:01:30Z`];
    const isNight = run < morning;
    const timer = { IsOn: !isNight, LastStatusChange: isNight ? evening : morning };
    // One is off for 20 minutes, and one for two days with their nights.
    const short = run === at(12, '15:10') && { IsOn: false, LastStatusChange: at(12, '15:00') };
    const back = run === at(12, '18:00') && { IsOn: true, LastStatusChange: at(12, '15:20') };
    const isLong = run > at(12, '15:00') && run < at(14, '18:00');
    const long = isLong && { IsOn: false, LastStatusChange: at(12, '15:00') };
    const healed = run === at(14, '18:00') && { IsOn: true, LastStatusChange: at(14, '17:00') };
    const screens = [timer, { ...timer, ...(short || back) }, { ...timer, ...(long || healed) }];
    await lab.run(run, {
      players: [{ Id: 1, City: 'Bern', LastAccess: run }],
      screens: { 1: screens.map((screen, index) => ({ Id: index + 1, LastUpdate: run, ...screen })) },
    });
  }
  const ask = async (question: string) => await lab.rows(sqlOfQuestion(question));
  const [repair] = await ask('How long until a screen is back, and how long until the next outage?');
  // The longer one took five hours, a day of eleven, and eight.
  expect(repair).toMatchObject({ outages: 2, hours_to_repair: expect.closeTo((1 / 3 + 24) / 2, 6) });
  expect(await ask('Which screens flap?')).toEqual([]);
  expect(await ask('What was off while its place was open?')).toMatchObject([
    { missed_hours_week: expect.closeTo(24 + 2 * 0.025, 6) },
    { missed_hours_week: expect.closeTo(1 / 3 + 4 * 0.025, 6) },
  ]);
  const { hours: tile, findings, tables } = await reportOf(lab.lake, at(15, '03:00'));
  expect(tile).toEqual({ screens: 3, unknown: 0, least: 1, most: 1 });
  expect(findings.find(({ id }) => id === 'off-in-hours')?.count).toBe(1);
  expect(tables.find(({ id }) => id === 'hours')?.total).toBe(1);
});
