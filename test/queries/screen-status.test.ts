import { describe, expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { signageViewLab } from './view-lab.ts';

const fresh = '2026-11-21T02:50:00Z';
const player = (Id: number, more: object = {}) => ({ Id, Name: `P${Id}`, BoxState: 'Activated', ...more });

describe('screen_status', () => {
  it('says unknown of a screen that the newest run could not ask, with what it was', async () => {
    await using lab = await signageViewLab(SIGNAGE_ALONE);
    const LastStatusChange = '2026-11-19T03:00:00Z';
    const on = { Id: 1, IsOn: true, LastUpdate: '2026-11-20T02:50:00Z', LastStatusChange };
    await lab.run('2026-11-20T03:00:00Z', { players: [player(1), player(2)], screens: { 1: [on], 2: [on] } });
    await lab.run('2026-11-21T03:00:00Z', {
      players: [player(1), player(2)],
      screens: { 1: 'denied', 2: [{ ...on, LastUpdate: fresh }] },
    });
    expect(
      await lab.cells(
        'select screen, state, last_known_state, since, is_carried from screen_status order by screen',
      ),
    ).toEqual([
      ['1/1', 'unknown', 'on', null, true],
      ['2/1', 'on', 'on', LastStatusChange, false],
    ]);
  });
});

it('a screen of an API that does not date its reports reports through its player', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE, { twins: true });
  const at = (day: number, time = '03:00') => `2026-11-${day}T${time}:00Z`;
  const on = (more: object = {}) => [{ Id: 1, IsOn: true, ...more }];
  for (const day of [20, 21, 22])
    await lab.run(
      at(day),
      {
        players: [player(1, { LastAccess: at(day) })],
        screens: { 1: on({ LastUpdate: at(day) }) },
        twins: {
          players: [
            player(1, { LastAccess: at(day, '02:30') }),
            player(2, { LastAccess: at(Math.min(day, 21), '02:00') }),
            player(3, { LastAccess: at(15) }),
            player(4, { LastAccess: '0001-01-01T00:00:00Z' }),
          ],
          screens: { 1: on(), 2: on(), 3: on(), 4: on() },
        },
      },
      ['berlin', 'munich'],
    );
  expect(
    await lab.cells(`
      select screen, state, since, hours_in_state
      from screen_status
      where export_source = 'munich'
      order by screen`),
  ).toEqual([
    ['1/1', 'on', null, null],
    ['2/1', 'stale', at(21, '02:00'), 25],
    ['3/1', 'stale', at(15), 168],
    ['4/1', 'unknown', null, null],
  ]);
  expect(
    await lab.cells(`
      select screen, state, silent_hours
      from screen_days
      where export_source = 'munich' and export_date = '2026-11-21'
      order by screen`),
  ).toEqual([
    ['1/1', 'on', 0.5],
    ['2/1', 'on', 1],
    ['3/1', 'stale', 144],
    ['4/1', 'unknown', null],
  ]);
  expect(
    await lab.cells(`
      select record_key, state, started_at, ended_at
      from device_states
      where export_source = 'munich' and level = 'screen' and state <> 'watched'
      order by record_key, started_at`),
  ).toEqual([
    ['1/1', 'on', at(20, '02:30'), null],
    ['2/1', 'on', at(20, '02:00'), at(21, '02:00')],
    ['2/1', 'off', at(21, '02:00'), null],
    ['3/1', 'off', at(15), null],
  ]);
  expect(
    await lab.cells(`
      select export_date, expected_screens_on, expected_screens_stale, expected_screens_unknown
      from daily_trend
      where export_source = 'munich' and export_date = '2026-11-22'`),
  ).toEqual([['2026-11-22', 1, 2, 1]]);
});

it('a source that dates the reports of neither its screens nor its players has no stale screen', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', { players: [player(1)], screens: { 1: [{ Id: 1, IsOn: true }] } });
  expect(await lab.cells('select screen, state from screen_status')).toEqual([['1/1', 'on']]);
  expect(await lab.cells('select screen, state from screen_days')).toEqual([['1/1', 'on']]);
});
