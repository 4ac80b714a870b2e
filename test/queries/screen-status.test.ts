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

it('a source that dates the reports of neither its screens nor its players has no stale screen', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', { players: [player(1)], screens: { 1: [{ Id: 1, IsOn: true }] } });
  expect(await lab.cells('select screen, state from screen_status')).toEqual([['1/1', 'on']]);
  expect(await lab.cells('select screen, state from screen_days')).toEqual([['1/1', 'on']]);
});
