import { expect, it } from 'vitest';
import { hoursFile } from './hours-file.ts';
import { signageViewLab } from './view-lab.ts';

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

it('the target of a place is that of the group by which its players are there', async () => {
  await using file = await hoursFile(['Hof,Mon-Sun,08:00,22:00,UTC']);
  await using lab = await signageViewLab({
    config: {
      ...{ groups: ['City', 'CustomId'], timeZone: 'UTC', hours: file.path },
      targets: { 'custom_id=Hof': 0.7, 'city=Hof': 0.9 },
    },
  });
  for (const time of ['2026-11-20T10:00:00Z', '2026-11-20T20:00:00Z'])
    await lab.run(time, {
      players: [{ Id: 1, City: 'Bern', CustomId: 'Hof', LastAccess: time }],
      screens: { 1: [screen(time)] },
    });
  expect(
    await lab.cells("select key, target from availability where level = 'place' and period = 'day'"),
  ).toEqual([['Hof', 0.7]]);
});

it('a player that stays at its place by another group has another target from that day on', async () => {
  await using file = await hoursFile(['Hof,Mon-Sun,08:00,22:00,UTC']);
  await using lab = await signageViewLab({
    config: {
      ...{ groups: ['City', 'CustomId'], timeZone: 'UTC', hours: file.path },
      targets: { 'custom_id=Hof': 0.7, 'city=Hof': 0.9 },
    },
  });
  for (const [day, City, CustomId] of [
    ['20', 'Bern', 'Hof'],
    ['21', 'Hof', 'Bern'],
  ] as const)
    for (const time of [`2026-11-${day}T10:00:00Z`, `2026-11-${day}T20:00:00Z`])
      await lab.run(time, {
        players: [{ Id: 1, City, CustomId, LastAccess: time }],
        screens: { 1: [screen(time)] },
      });
  expect(
    await lab.cells(
      'select group_by, group_value, valid_from, valid_until from player_places order by valid_until',
    ),
  ).toEqual([
    ['custom_id', 'Hof', null, '2026-11-21'],
    ['city', 'Hof', '2026-11-21', null],
  ]);
  expect(
    await lab.cells(
      "select period_start, target from availability where level = 'place' and period = 'day' order by 1",
    ),
  ).toEqual([
    ['2026-11-20', 0.7],
    ['2026-11-21', 0.9],
  ]);
});
