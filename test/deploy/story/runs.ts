import { expect, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { catalogOf, deadLetters, disturbCatalog, hasSwept } from '../support/account.ts';
import { shortenLease } from '../support/age-lake.ts';
import { trouble } from '../support/faults.ts';
import { PATIENCE, type Story } from './story.ts';

/** Its runs, whatever happens to them meanwhile. */
export function tellRuns(story: Story): void {
  it('begins one run at the schedule’s own event, which comes twice', async () => {
    const time = '2026-10-30T03:00:00Z';
    const resources = Object.values(await story.stack.template());
    const schedule = resources.find(
      ({ Type, Properties }) => Type === 'AWS::Scheduler::Schedule' && Properties['Name'] === 'lab-export',
    );
    const target = schedule?.Properties['Target'] as { readonly Input: string } | undefined;
    const event = String(target?.Input).replace('<aws.scheduler.scheduled-time>', time);
    expect(event).toContain(time);
    await Promise.all([story.stack.deliver('start', event), story.stack.deliver('start', event)]);
    await expect.poll(() => story.statuses(), PATIENCE).toEqual(['SUCCEEDED']);
    await story.lab.run(time);
    await story.expectSameTables();
  });

  it('ends a run on the code that it began with, although another commit is deployed meanwhile', async () => {
    story.lab.simulator.day = 1;
    await story.installed(12, { notify: { webhookSecret: 'lab/hook', runs: 'all' } });
    await story.stack.synth();
    await story.lab.simulator.setFaults('slow:1@ms=8000');
    const running = story.runDeployed('2026-10-31T03:00:00Z');
    await expect.poll(() => story.statuses(), PATIENCE).toContain('RUNNING');
    const before = await story.stack.calledVersions();
    await story.stack.deploy();
    expect(await story.statuses()).toContain('RUNNING');
    expect(await story.stack.calledVersions()).not.toEqual(before);
    await story.lab.simulator.setFaults('');
    const ended = await running;
    expect(ended.code, JSON.stringify(ended)).toBe(0);
    const [execution] = await story.stack.executions();
    const called = await story.stack.called(String(execution?.arn));
    expect(called.length).toBeGreaterThan(2);
    expect(called.filter((arn) => !before.includes(arn))).toEqual([]);
    await story.lab.run('2026-10-31T03:00:00Z');
    await story.expectSameTables();
  });

  it('gets the same although Lambda refuses, fails, kills and times out', async () => {
    story.lab.simulator.day = 2;
    await story.emulator.fault(trouble('lab'));
    const from = (await story.emulator.decisions()).length;
    expect(await story.runDeployed('2026-11-01T03:00:00Z')).toMatchObject({ code: 0 });
    expect(await story.emulator.faultsLeft()).toEqual([]);
    // A batch is tried again in its place.
    expect(await hasSwept(story.emulator, story.stack, from)).toBe(false);
    await story.lab.run('2026-11-01T03:00:00Z');
    await story.expectSameTables();
    const status = await story.stack.ask(['status', '--deployed', '--json'], await story.operator());
    expect(JSON.parse(status.stdout)).toMatchObject({
      committed: { runId: '20261101T030000Z', status: 'complete' },
      running: null,
    });
  });
}

/** Its lease, its catalog and a start that fails. */
export function tellTroubledRuns(story: Story): void {
  it('sweeps, renews its lease and mends its catalog, and leaves out a scheduled start meanwhile', async () => {
    story.lab.simulator.day = 3;
    const { Lake = '', Database = '' } = await story.stack.outputs();
    await using lake = s3Lake(Lake, { pathStyle: true });
    await story.lab.simulator.setFaults('slow:1@ms=2000');
    // Told that it has little time, it hands back what it has not begun.
    await story.emulator.fault({
      'lab-list': ['TooManyRequestsException', 'TooManyRequestsException', 'TooManyRequestsException'],
      'lab-collect': ['deadline:36', 'deadline:36'],
    });
    const running = story.runDeployed('2026-11-02T03:00:00Z');
    await expect.poll(() => story.statuses(), PATIENCE).toContain('RUNNING');
    await shortenLease(lake);
    expect(await story.stack.invoke('start', { scheduledTime: '2026-11-02T04:00:00Z' })).toMatchObject({
      kind: 'skipped',
      code: 'LEASE_HELD',
    });
    // Behind the start, which mends it too: this is for the commit.
    await disturbCatalog(story.emulator, Database);
    const patience = performance.now() + PATIENCE.timeout;
    while ((await story.statuses())[0] === 'RUNNING' && performance.now() < patience)
      await shortenLease(lake);
    const ended = await running;
    expect(ended.code, JSON.stringify(ended)).toBe(0);
    expect((await story.stack.executions()).map(({ name }) => name)).not.toContain('20261102T040000Z');
    await story.lab.simulator.setFaults('');
    await story.lab.run('2026-11-02T03:00:00Z');
    await story.expectSameTables();
  });

  it('has its catalog put in step by the next start, and by an operator, whatever is in it', async () => {
    const { Database = '' } = await story.stack.outputs();
    const before = await catalogOf(story.emulator, Database);
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['screens', 'players_daily']));
    const start = async () => {
      const answer = await story.stack.invoke('start', { scheduledTime: '2026-11-02T03:00:00Z' });
      expect(answer).toMatchObject({ kind: 'committed' });
    };
    const sync = async () => {
      const { code, stdout } = await story.stack.ask(
        ['catalog', 'sync', '--deployed', '--json'],
        await story.operator(),
      );
      expect(code).toBe(0);
      const changed = { tablesRemoved: 1, partitionsRemoved: 1 };
      expect(JSON.parse(stdout)).toMatchObject({ database: Database, ...changed });
    };
    for (const putInStep of [start, sync]) {
      await disturbCatalog(story.emulator, Database);
      expect(await catalogOf(story.emulator, Database)).not.toEqual(before);
      await putInStep();
      expect(await catalogOf(story.emulator, Database)).toEqual(before);
    }
  });

  it('puts a start that fails three times where an operator finds it', async () => {
    await story.stack.deliver('start', JSON.stringify({ scheduledTime: 'never' }));
    await expect
      .poll(() => deadLetters(story.emulator, story.stack), PATIENCE)
      .toMatchObject([{ requestPayload: { scheduledTime: 'never' } }]);
  });
}
