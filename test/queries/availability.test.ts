import { expect, it } from 'vitest';
import { hoursFile } from './hours-file.ts';
import { signageViewLab } from './view-lab.ts';

it('a group has the hours of its place, without the days on which a dark player was not listed', async () => {
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
  expect(first?.[0]).toBe(72);
  expect(others).toEqual([first, first]);
});

const screen = (time: string) => ({ Id: 1, IsOn: true, LastUpdate: time });

it.each([
  // A value alone is of the first of the groups that has it.
  [
    { Hof: 0.9, Mall: 0.8, '*': 0.5 },
    { 'city=Hof': 0.9, 'custom_id=Mall': 0.8, 'custom_id=Hof': 0.5 },
  ],
  [{ 'CustomId=Hof': 0.7 }, { 'city=Hof': null, 'custom_id=Hof': 0.7 }],
  [
    { 'custom_id=Hof': 0.7, Hof: 0.9 },
    { 'city=Hof': 0.9, 'custom_id=Hof': 0.7 },
  ],
  [
    { 'city=Hof': 0.7, Hof: 0.9 },
    { 'city=Hof': 0.7, 'custom_id=Hof': 0.9 },
  ],
  // A value may look like a name.
  [
    { 'size=L': 0.6, '*': 0.5 },
    { 'city=size=L': 0.6, 'custom_id=Hof': 0.5 },
  ],
])('the targets %j are of one group each', async (targets, expected) => {
  await using lab = await signageViewLab({
    config: { groups: ['City', 'CustomId'], timeZone: 'UTC', targets },
  });
  for (const time of ['2026-11-20T10:00:00Z', '2026-11-20T20:00:00Z'])
    await lab.run(time, {
      players: [
        { Id: 1, City: 'Hof', CustomId: 'A', LastAccess: time },
        { Id: 2, City: 'Bern', CustomId: 'Hof', LastAccess: time },
        { Id: 3, City: 'Nancy', CustomId: 'Mall', LastAccess: time },
        { Id: 4, City: 'size=L', CustomId: 'B', LastAccess: time },
      ],
      screens: { 1: [screen(time)], 2: [screen(time)], 3: [screen(time)], 4: [screen(time)] },
    });
  const cells = await lab.cells(
    "select key, target from availability where level = 'group' and period = 'day'",
  );
  expect(Object.fromEntries(cells.map(([key, target]) => [key, target]))).toMatchObject(expected);
});

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
