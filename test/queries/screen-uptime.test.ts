import { expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Day, signageViewLab } from './view-lab.ts';

const players = (...ids: number[]) => ids.map((Id) => ({ Id, Name: `P${Id}` }));

it('screen_uptime compares runs: switches, silence, gaps of days, two runs a day, newcomers, what was not asked', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const day = async (
    runTime: string,
    screens: (on: object, off: object, stale: object) => Day['screens'],
  ) => {
    const LastUpdate = new Date(Date.parse(runTime) - 600_000).toISOString();
    const stale = { IsOn: true, LastUpdate: '2026-11-19T02:50:00.000Z' };
    const shown = screens({ IsOn: true, LastUpdate }, { IsOn: false, LastUpdate }, stale) ?? {};
    await lab.run(runTime, { players: players(...Object.keys(shown).map(Number)), screens: shown });
  };
  const two = (a: object, b: object) => [
    { Id: 1, ...a },
    { Id: 2, ...b },
  ];
  const one = (a: object) => [{ Id: 1, ...a }];
  await day('2026-11-20T03:00:00Z', (on) => ({ 1: two(on, on), 2: one(on) }));
  await day('2026-11-21T03:00:00Z', (on, _, stale) => ({ 1: two(on, stale), 2: 'denied' }));
  await day('2026-11-22T03:00:00Z', (on, off, stale) => ({ 1: two(off, stale), 2: one(on), 3: one(on) }));
  // No runs on the 23rd and 24th, two on the 25th.
  await day('2026-11-25T03:00:00Z', (on) => ({ 1: two(on, on), 2: one(on), 3: one(on) }));
  await day('2026-11-25T15:00:00Z', (on, off) => ({ 1: two(on, off), 2: one(on), 3: one(on), 4: one(on) }));

  const rows = await lab.rows('select * from screen_uptime order by screen, export_date');
  const told = rows.map((row) => [
    `${row.screen} ${String(row.export_date).slice(-2)}`,
    row.on_hours,
    row.off_hours,
    row.unknown_hours,
    row.sampling_error_hours,
    row.on_share,
  ]);
  expect(told).toEqual([
    // On, on, off, [gap], on, on.
    ['1/1 20', 0, 0, 0, 0, null],
    ['1/1 21', 24, 0, 0, 0, 1],
    ['1/1 22', 12, 12, 0, 12, 0.5],
    // Of the 72 hours since the 22nd 24 count, half of them on; then 12 hours on.
    ['1/1 25', 24, 12, 48, 12, 24 / 36],
    // On, stale, stale, [gap], on, off: silence is not on, whatever the screen says.
    ['1/2 20', 0, 0, 0, 0, null],
    ['1/2 21', 12, 12, 0, 12, 0.5],
    ['1/2 22', 0, 24, 0, 0, 0],
    ['1/2 25', 18, 18, 48, 18, 0.5],
    // On, not asked, on, [gap], on, on: the hours on both sides of the 21st are unknown.
    ['2/1 20', 0, 0, 0, 0, null],
    ['2/1 21', null, null, 24, null, null],
    ['2/1 22', null, null, 24, null, null],
    ['2/1 25', 36, 0, 48, 0, 1],
    // New on the 22nd, and new in the second run of the 25th: nothing was seen before.
    ['3/1 22', 0, 0, 0, 0, null],
    ['3/1 25', 36, 0, 48, 0, 1],
    ['4/1 25', 0, 0, 0, 0, null],
  ]);
  expect(rows.find((row) => row.screen === '1/2' && row.export_date === '2026-11-25')).toMatchObject({
    sampling_error: 0.5,
    run_interval_hours: 72,
  });
});

it('screen_uptime does not know the hours around a failed run in the middle of a day', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const at = (time: string) => `2026-11-2${time}:00:00Z`;
  const on = (runTime: string): Day => ({
    players: players(1),
    screens: {
      1: [{ Id: 1, IsOn: true, LastUpdate: new Date(Date.parse(runTime) - 600_000).toISOString() }],
    },
  });
  for (const time of ['0T03', '1T03']) await lab.run(at(time), on(at(time)));
  await lab.run(at('1T09'), { ...on(at('1T09')), refused: true });
  for (const time of ['1T15', '1T21']) await lab.run(at(time), on(at(time)));
  expect(
    await lab.rows(
      "select on_hours, off_hours, unknown_hours from screen_uptime where export_date = '2026-11-21'",
    ),
  ).toEqual([{ on_hours: 30, off_hours: 0, unknown_hours: 12 }]);
});
