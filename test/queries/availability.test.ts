import { expect, it } from 'vitest';
import { reportOf } from '../report/report-of.ts';
import { hoursFile } from './hours-file.ts';
import { signageViewLab } from './view-lab.ts';

const day = (time: string) => `2026-11-20T${time}:00Z`;

/** Of two players of ACME the one in Bern has opening hours. The screen of one goes off between two runs. */
async function acme(off: 'Bern' | 'Aue') {
  await using file = await hoursFile(['Bern,Mon-Sun,08:00,18:00,UTC']);
  const lab = await signageViewLab({
    config: { groups: ['City', 'CustomId'], timeZone: 'UTC', hours: file.path },
  });
  for (const [time, isOn] of [
    [day('10:00'), true],
    [day('20:00'), false],
  ] as const)
    await lab.run(time, {
      players: ['Bern', 'Aue'].map((City, index) => ({
        Id: index + 1,
        City,
        CustomId: 'ACME',
        LastAccess: time,
      })),
      screens: {
        1: [{ Id: 1, IsOn: isOn || off !== 'Bern', LastUpdate: time }],
        2: [{ Id: 1, IsOn: isOn || off !== 'Aue', LastUpdate: time }],
      },
    });
  return lab;
}

it('a group is ranked by all its players: by open hours where there are any, by all hours elsewhere', async () => {
  await using lab = await acme('Aue');
  expect(
    await lab.cells(`
      select judged_hours, round(availability, 6)
      from availability where level = 'group' and period = 'day' and key = 'custom_id=ACME'`),
  ).toEqual([[18, 0.722222]]);
  const { tables } = await reportOf(lab.lake, day('21:00'));
  const { columns = [], rows = [] } = tables.find(({ id }) => id === 'places') ?? {};
  const place = (label: string) => columns.findIndex((column) => column.label === label);
  expect(
    rows.map((row) => [
      row[place('Place')],
      Number(row[place('On')]).toFixed(3),
      row[place('Counted hours')],
    ]),
  ).toEqual([
    ['city=Aue', '0.500', 10],
    // Bern was always on: it is none of the worst. Places are of the first group alone.
  ]);
});

it('what is told of a switch between two runs has bounds, within which each time of the switch lies', async () => {
  await using lab = await acme('Bern');
  // It went off from 10:00 to 20:00: it missed up to eight of the open hours, and all are told as 15:00.
  expect(
    await lab.cells(`
      select missed_hours_day, sampling_error_hours_day, missed_hours_week, sampling_error_hours_week
      from off_in_hours`),
  ).toEqual([[3, 5, 3, 5]]);
  expect(
    await lab.cells(
      "select open_off_hours, open_sampling_error_hours from device_days where device_key = 'berlin/1/1'",
    ),
  ).toEqual([[3, 5]]);
  expect(
    await lab.rows(`
      select key, judged_hours, availability, sampling_error
      from availability where level = 'group' and period = 'day' order by key`),
  ).toEqual([
    { key: 'city=Aue', judged_hours: 10, availability: 1, sampling_error: 0 },
    { key: 'city=Bern', judged_hours: 8, availability: 5 / 8, sampling_error: 5 / 8 },
    { key: 'custom_id=ACME', judged_hours: 18, availability: 15 / 18, sampling_error: 5 / 18 },
  ]);
});

it('a group counts the days on which its player is missing between two on which it is listed, as its place does', async () => {
  await using file = await hoursFile(['Bern,Mon-Sun,00:00,24:00,UTC']);
  await using lab = await signageViewLab({
    config: { groups: ['City'], timeZone: 'UTC', hours: file.path, maxShrink: 1 },
  });
  for (const date of [20, 21, 22, 23]) {
    const LastUpdate = `2026-11-${date}T02:30:00Z`;
    const ids = date === 21 || date === 22 ? [2] : [1, 2];
    await lab.run(`2026-11-${date}T03:00:00Z`, {
      players: ids.map((Id) => ({ Id, City: 'Bern', LastAccess: LastUpdate })),
      screens: Object.fromEntries(
        ids.map((id) => [
          id,
          [{ Id: 1, IsOn: id === 2, LastUpdate, LastStatusChange: '2026-11-19T12:00:00Z' }],
        ]),
      ),
    });
  }
  const [first, ...others] = await lab.cells(`
    select known_hours, availability
    from availability where period = 'month' and level in ('source', 'group', 'place')`);
  expect(first?.[0]).toBe(144);
  expect(others).toEqual([first, first]);
});
