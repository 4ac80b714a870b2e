import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '#lib/sources/resources.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { cliHere } from './support.ts';

/** What `estimate` says of a source of the default rate. */
async function estimated(schedule: string, players: number, settings: object = {}) {
  await using folder = await temporaryFolder();
  const config = join(folder.path, 'export.config.json');
  const source = { name: 'berlin', kind: 'signage', baseUrl: 'https://a.example', secret: 'berlin' };
  writeFileSync(config, JSON.stringify({ name: 'signage', schedule, sources: [source], ...settings }));
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

  it('warns of sources that a run has no time to ask, by the setting publishHours', async () => {
    const daily = async (players: number, publishHours?: number) =>
      (await estimated('cron(0 3 * * ? *)', players, { publishHours })).stdout;
    const says =
      'warning: a run asks its sources for 22 h (24 h less publishHours), but all calls take 28.1 h:';
    expect(await daily(1_000_000)).toContain(says);
    expect(await daily(1_000_000)).toContain('published as partial');
    // The calls end with those hours, so the next start finds no run under way.
    expect(await daily(1_000_000)).not.toContain('between two starts');
    // 840,000 players take 23.7 h, 300,000 take 8.4 h.
    expect(await daily(840_000)).toContain('for 22 h');
    expect(await daily(840_000, 1)).toContain('for 23 h');
    expect(await daily(300_000)).not.toContain('warning: a run');
    expect(await daily(300_000, 18)).toContain('for 6 h');
  });

  it('warns of runs that overlap, also where they are cut off', async () => {
    const warning = 'warning: a run takes longer than the 15 min between two';
    expect((await estimated('rate(15 minutes)', 20_000)).stdout).toContain(warning);
    const { stdout } = await estimated('rate(15 minutes)', 1_000_000);
    expect(stdout).toContain('warning: a run asks its sources for 22 h');
    expect(stdout).toContain(warning);
  });

  it.each([
    ['rate(15 minutes)', '2880 runs in 30 days, 15 min apart at most; an alarm if none is committed for 4 h'],
    ['rate(1 hour)', '720 runs in 30 days, 60 min apart at most; an alarm if none is committed for 4 h'],
    ['rate(150 minutes)', '288 runs in 30 days, 2.5 h apart at most; an alarm if none is committed for 6 h'],
  ])('says how far apart the runs of %s are, to the minute below two hours', async (schedule, says) => {
    expect((await estimated(schedule, 100)).stdout).toContain(says);
  });

  it('says how much of AWS’s quotas the largest config needs, and all of it is given', async () => {
    const { stdout } = await estimated('cron(0 3 * * ? *)', 1_000_000);
    // 2,000,000 calls in batches of 2,400 at 20 a second: three passes of 834 batches of seven events.
    expect(stdout).toMatch(/events of the longest execution, with two sweeps +17554 +25000/);
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
