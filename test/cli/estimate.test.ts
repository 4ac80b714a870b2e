import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '#lib/sources/resources.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { cliHere } from './support.ts';

/** What `estimate` says of a source of the default rate. */
async function estimated(schedule: string, players: number) {
  await using folder = await temporaryFolder();
  const config = join(folder.path, 'export.config.json');
  const source = {
    name: 'berlin',
    kind: 'signage',
    baseUrl: 'https://signage.example.com',
    secret: 'berlin',
  };
  writeFileSync(config, JSON.stringify({ name: 'signage', schedule, sources: [source] }));
  const asked = ['estimate', '--config', config, '--lake', join(folder.path, 'lake')];
  return await cliHere(...asked, '--players', String(players));
}

/** Of 100 players: each listing once, and each of their children once a player. */
const CALLS = RESOURCES.filter(({ kind }) => kind === 'signage')
  .map(({ parent }) => (parent === null ? 1 : 100))
  .reduce((sum, calls) => sum + calls, 0);

describe('estimate', () => {
  it('counts the runs of a month, and warns of nothing where they fit', async () => {
    const { status, stdout } = await estimated('cron(0 3 ? * FRI-MON *)', 100);
    expect(status).toBe(0);
    expect(stdout).toContain(`${CALLS} calls`);
    expect(stdout).toContain(
      '17 runs in 30 days, 96 h apart at most; an alarm if none is committed for 99 h',
    );
    expect(stdout).not.toContain('warning');
  });

  it('warns of runs that outlast their deadline, and of those that overlap', async () => {
    expect((await estimated('cron(0 3 * * ? *)', 1_000_000)).stdout).toContain(
      'warning: a run is given up after 24.0 h',
    );
    expect((await estimated('rate(15 minutes)', 20_000)).stdout).toContain(
      'warning: a run takes longer than the 15 min between two',
    );
  });

  it('says how much of AWS’s quotas the largest config needs, and all of it is given', async () => {
    const { stdout } = await estimated('cron(0 3 * * ? *)', 1_000_000);
    // 2,000,000 calls in batches of 2,400 at 20 a second: three passes of 834 batches of seven events.
    expect(stdout).toMatch(/events of the longest execution, with two sweeps +17554 +25000/);
    expect(stdout).toMatch(/partitions of a table after 10 years +3650 +10000000/);
    expect(stdout).toMatch(/GB of code, after 100 deployments that change all of it +10 +75/);
    expect(stdout).not.toContain('Request more of Service Quotas');
  });

  it('refuses a schedule that never runs', async () => {
    const { status, stderr } = await estimated('cron(0 3 31 2 ? *)', 100);
    expect(status).toBe(2);
    expect(stderr).toContain('schedule is "cron(0 3 31 2 ? *)", but must be a schedule such as');
    expect(stderr).toContain('it never runs, for no date is "31 2 ? *"');
    const past = await estimated('cron(0 3 * * ? 2020)', 100);
    expect(past.status).toBe(2);
    expect(past.stderr).toContain('it never runs in UTC from ');
  });
});
