import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { readLease } from '#lib/lake/lease.ts';
import { DAY_MS } from '#lib/time.ts';
import { disturbCatalog } from '../support/account.ts';
import { changeHead } from '../support/age-lake.ts';
import { ruin } from '../support/faults.ts';
import { PATIENCE, type Story, toldIn } from './story.ts';

/** What an operator does to it. */
export function tellOperators(story: Story): void {
  it('does an operator’s commands by itself, and leaves what they leave locally', async () => {
    story.lab.simulator.day = 4;
    const key = story.lab.simulator.secrets.backup;
    await story.lab.simulator.setFaults('denied:0.4@resource=screens');
    await story.lab.run('2026-11-03T03:00:00Z');
    await story.lab.simulator.setFaults('');
    // Deployed, the run is worse off: it ends all the same, and a repair has the same to show.
    await story.emulator.fault(ruin('lab'));
    const ruined = await story.runDeployed('2026-11-03T03:00:00Z');
    expect(await story.emulator.faultsLeft()).toEqual([]);
    expect(JSON.parse(ruined.stdout)).toMatchObject({ runId: '20261103T030000Z', status: 'failed' });
    await story.emulator.fault({ 'lab-operate': ['TooManyRequestsException'] });
    const as = await story.operator();
    const both = async (command: string, ...words: readonly string[]) => {
      const of = [...command.split(' '), ...words, '--json'];
      const secrets = command === 'repair' ? ['--secrets', secretsFile] : [];
      const [deployed, local] = await Promise.all([
        story.stack.ask([...of, '--deployed'], as),
        story.stack.ask([...of, '--lake', join(story.lab.folder, 'lake'), ...secrets]),
      ]);
      expect([command, deployed.code, deployed.stderr.split('\n').at(-2)]).toEqual([
        ...[command, local.code],
        expect.anything(),
      ]);
      await story.expectSameTables();
      return JSON.parse(deployed.stdout);
    };
    const secretsFile = join(story.lab.folder, 'secrets.json');
    const secrets = { 'lab/berlin': story.lab.simulator.secrets.signage, 'lab/vault': key };
    await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    expect(await both('repair')).toMatchObject({ status: 'complete', runId: '20261103T030000Z' });
    const asked = ['licenses.total_count', 'decimal(38,9)'];
    expect(await both('schema apply', ...asked, '--dry-run')).toMatchObject({ cells: { days: 5 } });
    expect(await both('schema apply', ...asked, '--yes')).toMatchObject({ applied: true, days: 5 });
    const { Database = '' } = await story.stack.outputs();
    await disturbCatalog(story.emulator, Database);
    expect(await both('rebuild', '--from', '2026-11-02')).toMatchObject({ runId: '20261103T030000Z' });
    expect(await both('rollback', '20261102T030000Z')).toMatchObject({ exportDate: '2026-11-02' });
    await story.aDayPasses();
    const nothing = await story.stack.ask(['purge', '--source', 'nobodys', '--deployed']);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('SOURCE_UNKNOWN') });
    expect(await both('purge', '--source', 'vault')).toMatchObject({ source: 'vault' });
  });

  it('removes with its next commit what the operator’s commands replaced a day ago, and is not late', async () => {
    story.lab.simulator.day = 5;
    await story.aDayPasses();
    expect(await story.runDeployed('2026-11-04T03:00:00Z')).toMatchObject({ code: 0 });
    await story.lab.run('2026-11-04T03:00:00Z');
    await story.expectSameTables();
    expect(await story.stack.invoke('watch', {})).toEqual({});
  });

  it('lets a scheduled run wait for an operator’s command, and tells a commit that had no event', async () => {
    const { Lake = '' } = await story.stack.outputs();
    await using lake = s3Lake(Lake, { pathStyle: true });
    const [, rule = ''] =
      [...(await story.stack.physicalIds())].find(([id]) => id.startsWith('NewsEnded')) ?? [];
    // The emulator delivers for a disabled rule too.
    const { Targets } = await story.emulator.aws('events', 'list-targets-by-rule', '--rule', rule);
    await story.emulator.aws('events', 'remove-targets', '--rule', rule, '--ids', 'News');
    const held = await readLease(lake);
    const { runId = '' } = (await readHead(lake))?.head ?? {};
    const putLease = (released: boolean) => {
      const holder = { host: 'of the operator', pid: 1, startedAt: '' };
      const until = new Date(Date.now() + DAY_MS).toISOString();
      const lease = { ...held, runId, attempt: (held?.attempt ?? 0) + 1, holder, until, released };
      return lake.write(lakeKey('lease'), Buffer.from(JSON.stringify(lease)));
    };
    await putLease(false);
    const scheduledTime = '2026-11-04T04:00:00Z';
    expect(await story.stack.invoke('start', { scheduledTime })).toMatchObject({ kind: 'delayed' });
    await putLease(true);
    const newest = async () => (await readHead(lake))?.head.runId;
    await expect.poll(newest, PATIENCE).toBe('20261104T040000Z');
    await story.lab.run(scheduledTime);
    await expect.poll(async () => (await readLease(lake))?.released, PATIENCE).toBe(true);
    await story.expectSameTables();
    await changeHead<{ committedAt: string }>(lake, ({ committedAt }) => ({
      committedAt: new Date(Date.parse(committedAt) - 600_000).toISOString(),
    }));
    expect(toldIn(story.hook)).not.toContain('20261104T040000Z');
    expect(await story.stack.invoke('watch', {})).toEqual({});
    await expect.poll(() => toldIn(story.hook), PATIENCE).toContain('20261104T040000Z');
    await story.emulator.aws('events', 'put-targets', '--rule', rule, '--targets', JSON.stringify(Targets));
  });
}
