import { expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab } from '../queries/view-lab.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;

it.each([
  ['a day', '22T23:00', 4],
  ['a day, and a day without a run after it,', '23T23:00', 3],
])(
  'outages and missed hours do not count %s on which nobody expects the player to run',
  async (_, last, before) => {
    await using file = await hoursFile(['Bern,Mon-Sun,08:00,22:00,UTC']);
    await using lab = await signageViewLab({
      config: { groups: ['City'], hours: file.path, timeZone: 'UTC' },
    });
    for (const [runTime, IsLicensed] of [
      [hour('20T23:00'), true],
      [hour('21T23:00'), false],
      [hour(last), true],
    ] as const)
      await lab.run(runTime, {
        players: [{ Id: 1, City: 'Bern', LastAccess: hour('20T08:00'), IsLicensed }],
        screens: { 1: [{ Id: 1, IsOn: true, LastUpdate: hour('20T08:00') }] },
      });
    const outage = [hour('20T08:00'), null, 39, 14 + 14];
    const columns = 'started_at, ended_at, hours, open_hours';
    expect(await lab.cells(`select ${columns} from screen_outages`)).toEqual([outage]);
    expect(await lab.cells(`select ${columns} from player_outages`)).toEqual([outage]);
    const days = "select sum(open_off_hours), count(*) from device_days where level = 'screen'";
    expect(await lab.cells(days)).toEqual([[14, 2]]);
    // Nobody knows the days before the first run.
    expect(await lab.cells('select missed_hours_week, unknown_hours_week from off_in_hours')).toEqual([
      [28, before * 14],
    ]);
  },
);

it('opening hours are missed by a screen that has moved to a place without any since', async () => {
  await using file = await hoursFile(['Bern,Mon-Sun,08:00,22:00,UTC']);
  await using lab = await signageViewLab({ config: { groups: ['City'], hours: file.path, timeZone: 'UTC' } });
  for (const [runTime, City] of [
    [hour('20T23:00'), 'Bern'],
    [hour('21T23:00'), 'Bern'],
    [hour('22T03:00'), 'Moon'],
  ] as const)
    await lab.run(runTime, {
      players: [{ Id: 1, City, LastAccess: runTime }],
      screens: { 1: [{ Id: 1, IsOn: false, LastUpdate: runTime, LastStatusChange: hour('20T08:00') }] },
    });
  expect(
    await lab.cells('select group_value, missed_hours_day, missed_hours_week from off_in_hours'),
  ).toEqual([['Bern', 14, 28]]);
});
