import { expect, it } from 'vitest';
import { type Day, signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';

const players = (...ids: number[]) => ids.map((Id) => ({ Id, Name: `P${Id}` }));

it('screen_uptime cuts known hours by day: switches, silence, gaps of days, two runs a day, newcomers, what was not asked', async () => {
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

  const told = await lab.cells(`
    select screen || ' ' || export_date[-2:], on_hours, off_hours, unknown_hours, sampling_error_hours, on_share
    from screen_uptime
    order by screen, export_date`);
  // A day begins at 23:00 UTC, four hours before its run.
  const unseen = [null, null, 24, null, null];
  expect(told).toEqual([
    ['1/1 20', 20, 0, 0, 0, 1],
    // It was off in the run of the 22nd: since 14:50 UTC, half-way between its last report as on and the first as off.
    ['1/1 21', 15 + 5 / 6, 8 + 1 / 6, 0, 12, (15 + 5 / 6) / 24],
    ['1/1 22', 0, 4, 20, 3 + 5 / 6, 0],
    ['1/1 23', ...unseen],
    ['1/1 24', ...unseen],
    ['1/1 25', 12, 0, 4, 0, 1],
    // It said on in the first run, but did not report since ten minutes before: that is known a day later, and then of all hours.
    ['1/2 20', 0, 20, 0, 0, 0],
    ['1/2 21', 0, 24, 0, 0, 0],
    ['1/2 22', 0, 4, 20, 0, 0],
    ['1/2 23', ...unseen],
    ['1/2 24', ...unseen],
    ['1/2 25', 5 + 5 / 6, 6 + 1 / 6, 4, 6, (5 + 5 / 6) / 12],
    // On, not asked, on, [gap], on, on: the hours on both sides of the 21st are unknown.
    ['2/1 20', null, null, 20, null, null],
    ['2/1 21', ...unseen],
    ['2/1 22', ...unseen],
    ['2/1 23', ...unseen],
    ['2/1 24', ...unseen],
    ['2/1 25', 12, 0, 4, 0, 1],
    // New on the 22nd, and new in the second run of the 25th: nothing was seen before.
    ['3/1 22', null, null, 20, null, null],
    ['3/1 23', ...unseen],
    ['3/1 24', ...unseen],
    ['3/1 25', 12, 0, 4, 0, 1],
    ['4/1 25', null, null, 0, null, null],
  ]);
});
