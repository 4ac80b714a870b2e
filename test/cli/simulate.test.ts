import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { DEMO_QUESTIONS } from '#cli/demo.ts';
import { addSimulate } from '#cli/simulate.ts';
import { UsageError } from '#lib/errors.ts';
import { startSimulator } from '#simulator/server.ts';
import { startOfDay0 } from '#simulator/world/clock.ts';
import { listening } from '../api/support/serve.ts';
import { viewLab } from '../queries/view-lab.ts';
import { cli } from './support.ts';

const HOUR_MS = 3_600_000;

it('simulate has a world of this hour, so that a run now finds players and screens alive', async () => {
  const now = new Date('2027-03-05T17:42:10Z');
  const startDate = startOfDay0(undefined, now);
  expect(startDate).toBe('2027-03-05T17:00:00Z');
  await using stack = new AsyncDisposableStack();
  const simulator = stack.adopt(await startSimulator({ players: 51, startDate }), (each) => each.close());
  const { now: clock, records } = simulator.world.at(0);
  expect(clock.toISOString()).toBe('2027-03-05T17:00:00.000Z');
  const seen = records('players').map(({ LastAccess }) => Date.parse(String(LastAccess)));
  const alive = seen.filter((ms) => ms > now.getTime() - HOUR_MS);
  expect(alive.length).toBeGreaterThan(40);
  expect(Math.max(...seen.filter((ms) => !Number.isNaN(ms)))).toBeLessThanOrEqual(clock.getTime());
  expect(simulator.world.at(2).now.toISOString()).toBe('2027-03-07T17:00:00.000Z');
});

it('simulate --start makes the same world again, whatever the hour', () => {
  const later = new Date('2027-03-06T09:00:00Z');
  expect(startOfDay0('2027-03-05T17:00:00Z', later)).toBe('2027-03-05T17:00:00Z');
  expect(startOfDay0('2026-11-20', later)).toBe('2026-11-20T03:00:00Z');
});

it.each([
  ...'yesterday 2026-02-30 2026-11-20T25:00:00Z 2026-11-20T03:00:00 0000-01-01 9999-12-31'.split(' '),
])('simulate --start %s is refused', async (start) => {
  await expect(cli(addSimulate, 'simulate', '--start', start)).rejects.toThrow(
    new UsageError(
      `--start is "${start}", but must be a day from 2000 to 2099 such as 2026-11-20, or a moment such as 2026-11-20T03:00:00Z.`,
    ),
  );
});

it('simulate says that its port is taken, and what to do', async () => {
  await using server = await listening(createServer());
  const { port } = server;
  await expect(cli(addSimulate, 'simulate', '--port', String(port))).rejects.toThrow(
    new UsageError(`--port ${port} is taken: stop what listens there, or name another, 0 for any free one.`),
  );
});

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
