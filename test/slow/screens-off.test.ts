import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;

it.each([
  ['off, then without a state', [false, null, false, null, false], 96],
  ['on, then without a state, then off', [true, null, null, false, false], 24],
  ['without a state, then off', [null, null, false, null, false], 48],
  ['on between two days off', [false, true, false, null, false], 48],
  ['on, then off and missing', [true, false, 'missing', 'missing', false], 72],
  ['off, then missing', [false, 'missing', 'missing', false, false], 96],
  ['off, then without a state and missing', [false, null, 'missing', false, null, false], 120],
  ['added, missing and added again', ['missing', false, 'missing', 'missing', false], 72],
  ['on, then missing', [true, 'missing', false, false, false], 48],
] as const)(
  'a screen is on its card with all its time off where the API dates nothing: %s',
  async (_, states, hoursOff) => {
    await using lab = await signageViewLab();
    for (const [index, IsOn] of states.entries()) {
      const runTime = hour(`${20 + index}T03:00`);
      const shown = { Id: 1, LastUpdate: runTime, ...(IsOn !== null && { IsOn }) };
      await lab.run(runTime, {
        players: [{ Id: 1, LastAccess: runTime }],
        screens: { 1: [...(IsOn === 'missing' ? [] : [shown]), { ...shown, Id: 2, IsOn: true }] },
      });
    }
    const { findings } = await reportOf(lab.lake, hour(`${19 + states.length}T04:00`));
    expect(findings.find(({ id }) => id === 'screens-off')?.worst.map(({ value }) => value)).toEqual([
      hoursOff,
    ]);
    // The view has the same outage, whose unknown hours it counts beside the known ones.
    const told = 'select hours, hours + unknown_hours from screen_outages where ended_at is null';
    const [[least, most] = []] = await lab.cells(told);
    expect([Number(least) <= hoursOff, hoursOff <= Number(most)]).toEqual([true, true]);
  },
);

it('a screen that says it changed after the export is off since it was first seen so', async () => {
  await using lab = await signageViewLab();
  for (const day of [20, 21, 22]) {
    const LastUpdate = hour(`${day}T03:00`);
    const LastStatusChange = day < 22 ? hour('18T03:00') : hour('22T03:20');
    await lab.run(LastUpdate, {
      players: [{ Id: 1, LastAccess: LastUpdate }],
      screens: { 1: [{ Id: 1, LastUpdate, LastStatusChange, IsOn: false }] },
    });
  }
  expect(await lab.cells('select hours_in_state from screen_status')).toEqual([[0]]);
  const { findings } = await reportOf(lab.lake, hour('22T04:00'));
  expect(findings.find(({ id }) => id === 'screens-off')?.worst.map(({ value }) => value)).toEqual([48]);
});
