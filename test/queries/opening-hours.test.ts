import { expect, it } from 'vitest';
import { hoursFile } from './hours-file.ts';
import { signageViewLab } from './view-lab.ts';

it.each([
  ['lines of two zones', ['Hof,Mon-Sun,08:00,11:00,UTC', 'Hof,Mon-Sun,11:00,13:00,Europe/Berlin'], 4],
  [
    'lines of two zones that begin at once',
    ['Hof,Mon-Sun,10:00,11:00,UTC', 'Hof,Mon-Sun,11:00,13:00,Europe/Berlin'],
    2,
  ],
  [
    'a line that has another within',
    ['Hof,Mon-Sun,08:00,18:00,UTC', 'Hof,Mon-Sun,11:00,13:00,Europe/Berlin'],
    10,
  ],
])('no hour of %s counts twice', async (_, lines, hours) => {
  await using file = await hoursFile(lines);
  await using lab = await signageViewLab({ config: { groups: ['City'], timeZone: 'UTC', hours: file.path } });
  const time = '2026-11-20T23:00:00Z';
  await lab.run(time, { players: [{ Id: 1, City: 'Hof', LastAccess: time }] });
  expect(await openOn(lab, '2026-11-19')).toBe(hours);
});

it('no hour counts twice on the day on which summer time begins', async () => {
  await using file = await hoursFile([
    ...['Hof,Mon-Sun,00:00,02:45,', 'Hof,Mon-Sun,03:00,06:00,'],
    // The clocks of that day never show its begin.
    'Aue,Mon-Sun,02:45,03:30,',
  ]);
  await using lab = await signageViewLab({
    config: { groups: ['City'], timeZone: 'Europe/Berlin', hours: file.path },
  });
  const time = '2027-03-29T12:00:00Z';
  await lab.run(time, { players: [{ Id: 1, City: 'Hof', LastAccess: time }] });
  expect(await openOn(lab, '2027-03-27')).toBe(5.75);
  expect(await openOn(lab, '2027-03-28')).toBe(5);
  expect([await openOn(lab, '2027-03-27', 'Aue'), await openOn(lab, '2027-03-28', 'Aue')]).toEqual([0.75, 0]);
});

/** The hours of a day in which Hof is open, as the rows have them, which must not overlap. */
async function openOn(lab: Awaited<ReturnType<typeof signageViewLab>>, day: string, place = 'Hof') {
  const cells = await lab.cells(
    `select sum(date_diff('minute', opens_at, closes_at)) / 60.0 from opening_hours where export_date = '${day}' and group_value = '${place}'`,
  );
  return Number(cells[0]?.[0]);
}
