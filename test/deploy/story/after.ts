import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { shellBlocks } from '../../support/shell-blocks.ts';
import { EXECUTION_ROLE, type Story } from './story.ts';

/** How it goes and comes back. */
export function tellAfter(story: Story): void {
  it('goes, but for its buckets and its database', async () => {
    const { Lake = '', Results = '', Database = '' } = await story.stack.outputs();
    await story.emulator.dismissAll();
    await story.stack.destroy();
    for (const url of [Lake, Results]) {
      await story.emulator.aws('s3api', 'head-bucket', '--bucket', url.split('/')[2] ?? '');
    }
    await story.emulator.aws('glue', 'get-database', '--name', Database);
    await expect(story.stack.outputs()).rejects.toThrow(/does not exist/);
    const deployed = (await story.emulator.decisions()).filter(({ role }) => role === EXECUTION_ROLE);
    expect(deployed.filter(({ refused }) => refused.length > 0)).toEqual([]);
    const asked = deployed.flatMap((each) => each.asked.map(([action]) => action));
    const some = 'lambda:CreateFunction lambda:UpdateFunctionCode lambda:DeleteFunction iam:PassRole';
    expect(asked).toEqual(expect.arrayContaining(some.split(' ')));
    story.left = Lake;
  });

  it('comes back over its lake, as docs/run/ways-back.md says, and goes on with its history', async () => {
    const printed = (await shellBlocks('docs/run/ways-back.md')).map(({ commands }) => commands).join('');
    const [, glue = ''] = /^aws (glue delete-database [^#\n]*)/m.exec(printed) ?? [];
    await story.emulator.aws(...glue.trim().replace('NAME', 'lab').split(' '));
    const page = await readFile('docs/run/ways-back.md', 'utf8');
    const [, name = ''] = /`"context": \{"(\w+)": "BUCKET"\}`/.exec(page) ?? [];
    await story.stack.synth(undefined, [`${name}=${story.left.split('/')[2]}`]);
    await story.stack.deploy();
    const { Lake = '' } = await story.stack.outputs();
    expect(Lake).toBe(story.left);
    await using lake = s3Lake(Lake, { pathStyle: true });
    const before = await readHead(lake);
    const words = ['--deployed', '--backdate', '--run-time', '2026-11-06T03:00:00Z', '--json'];
    const { stdout } = await story.stack.ask(['run', ...words]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'complete' });
    const after = await readHead(lake);
    const days = Object.keys(before?.head.tables['screens']?.dates ?? {});
    expect(days.length).toBeGreaterThan(1);
    expect(Object.keys(after?.head.tables['screens']?.dates ?? {})).toEqual([...days, '2026-11-06']);
    expect(after?.head.lake).toBe(before?.head.lake);
  });
}
