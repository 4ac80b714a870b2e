import { expect, it } from 'vitest';
import { DEMO_QUESTIONS } from '#cli/demo-questions.ts';
import { viewLab } from '../queries/view-lab.ts';

it('the demo calls a screen off or stale as the view screen_status does', async () => {
  await using lab = await viewLab();
  const fresh = '2026-11-21T02:00:00Z';
  const [silent, longSilent] = ['2026-11-20T12:00:00Z', '2026-11-10T00:00:00Z'];
  await lab.run('2026-11-21T03:00:00Z', {
    players: [{ Id: 1, Name: 'P1' }],
    screens: {
      1: [
        { Id: 1, IsOn: true, LastUpdate: fresh, LastStatusChange: fresh },
        { Id: 2, IsOn: false, LastUpdate: fresh, LastStatusChange: '2026-11-19T00:00:00Z' },
        { Id: 3, IsOn: true, LastUpdate: silent, LastStatusChange: '2026-11-01T00:00:00Z' },
        { Id: 4, IsOn: false, LastUpdate: longSilent, LastStatusChange: '2026-11-02T00:00:00Z' },
      ],
    },
  });
  const [first] = DEMO_QUESTIONS;
  const said = await lab.rows(`select state, screen, since::varchar as since from (${first.sql})`);
  expect(said).toEqual([
    { state: 'stale', screen: '1/4', since: '2026-11-10 00:00:00' },
    { state: 'off', screen: '1/2', since: '2026-11-19 00:00:00' },
    { state: 'stale', screen: '1/3', since: '2026-11-20 12:00:00' },
  ]);
});
