import { expect, it } from 'vitest';
import { STAGES } from '../../../infra/stages.ts';
import { takeAway } from '../support/account.ts';
import { NEEDED_ELSEWHERE } from '../support/needed-elsewhere.ts';
import { unusedRights } from '../support/unused-rights.ts';
import { HOOK_KEY, PATIENCE, type Story, toldIn } from './story.ts';

/** What it logs, and which rights it uses. */
export function tellRights(story: Story): void {
  it('logs no secret and no line a request', async () => {
    const groups = STAGES.map(({ name }) => `/aws/lambda/lab-${name}`);
    const logs = await Promise.all(
      groups.map((group) => story.emulator.aws('logs', 'filter-log-events', '--log-group-name', group)),
    );
    const lines = logs.flatMap(({ events }) =>
      events.flatMap(({ message }: { readonly message: string }) => message.split('\n')),
    );
    const { secrets, stats } = story.lab.simulator;
    for (const secret of [...Object.values(secrets).flatMap((each) => Object.values(each)), HOOK_KEY])
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    const own = lines.filter((line) => line.startsWith('{'));
    expect(own.length).toBeGreaterThan(100);
    // The lab made half of the requests, and logs none of them: so a line a request would be more than that.
    expect(own.length).toBeLessThan(stats.requests / 2);
  });

  it('was refused nothing, and has no right that no stage needed', async () => {
    const decisions = await story.emulator.decisions();
    expect(decisions.filter(({ refused }) => refused.length > 0)).toEqual([]);
    const unused = await unusedRights(story.stack, decisions);
    expect(unused.filter((right) => !NEEDED_ELSEWHERE.some(([rights]) => rights.test(right)))).toEqual([]);
  });

  it('fails with the right’s name where one is taken away', async () => {
    await takeAway(story.emulator, story.stack, { role: 'PipelinePlanRole', action: 's3:GetObject' });
    const failed = await story.runDeployed('2026-11-05T03:00:00Z');
    expect(failed.code).toBe(1);
    const decisions = await story.emulator.decisions();
    const refused = decisions.flatMap((each) => each.refused.map(([action]) => action));
    expect(new Set(refused)).toEqual(new Set(['s3:GetObject']));
    // Its execution has ended: status says so at once, and an operator may repair or start.
    const status = await story.stack.ask(['status', '--deployed', '--json'], await story.operator());
    expect(JSON.parse(status.stdout)).toMatchObject({
      running: { runId: '20261105T030000Z', hasEnded: true },
    });
    // Nobody is told twice, and nobody is told a key.
    await expect.poll(() => toldIn(story.hook).at(-1), PATIENCE).toBe('20261105T030000Z');
    const ids = story.hook.heard.slice(1).map(({ headers }) => headers['x-signage-export-id']);
    expect(new Set(ids).size).toBe(ids.length);
    const said = JSON.stringify(story.hook.heard);
    for (const each of [story.lab.simulator.secrets.signage, story.lab.simulator.secrets.backup]) {
      expect(said).not.toContain(Object.values(each)[0]);
    }
  });
}
