import { expect, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { DAY_MS } from '#lib/time.ts';
import { EXECUTION_ROLE, HOOK_KEY, type Story } from './story.ts';

/** How it is deployed, and is late. */
export function tellDeployments(story: Story): void {
  it('leaves nothing in the way of the next deployment where its first one fails', async () => {
    const whole = await story.stack.template();
    await story.stack.change((resources) => {
      for (const { Type, Properties } of Object.values(resources)) {
        if (Type === 'AWS::StepFunctions::StateMachine') {
          Object.assign(Properties, { DefinitionString: '{"StartAt": "Nowhere", "States": {}}' });
        }
      }
    });
    await expect(story.stack.deploy()).rejects.toThrow();
    await story.stack.change((resources) => Object.assign(resources, whole));
    const words = ['describe-stacks', '--stack-name', story.stack.name];
    const { Stacks } = await story.emulator.aws('cloudformation', ...words);
    expect(Stacks[0].StackStatus).toBe('ROLLBACK_COMPLETE');
    await story.stack.deploy();
  });

  it('has every resource of its template, and is deployed again without a change', async () => {
    // Also, the story goes on where the test before this one alone has failed.
    await story.stack.deploy();
    const template = Object.values(await story.stack.template());
    expect(await story.stack.states()).toEqual(new Map([['CREATE_COMPLETE', template.length]]));
  });

  it('is deployed by a role that has the policies which its synthesis wrote, and nothing else', async () => {
    const of = ['--role-name', EXECUTION_ROLE];
    const { AttachedPolicies } = await story.emulator.aws('iam', 'list-attached-role-policies', ...of);
    const attached = AttachedPolicies.map(({ PolicyArn }: { readonly PolicyArn: string }) => PolicyArn);
    expect(attached.toSorted()).toEqual(story.policies.toSorted());
    expect((await story.emulator.aws('iam', 'list-role-policies', ...of)).PolicyNames).toEqual([]);
  });

  it('takes its secrets from the command line, which says none', async () => {
    for (const [name, kind, value] of [
      ['lab/berlin', 'apiKey', story.lab.simulator.secrets.signage],
      ['lab/vault', 'accessToken', story.lab.simulator.secrets.backup],
      ['lab/hook', 'webhook', { hook: JSON.stringify({ url: story.hook.url, key: HOOK_KEY }) }],
    ] as const) {
      const [secret = ''] = Object.values(value);
      // Nothing knows the webhook before the next deployment.
      const as = kind === 'webhook' ? {} : await story.operator();
      const put = await story.stack.ask(['secret', 'put', name, '--kind', kind], { input: secret, ...as });
      expect(put).toMatchObject({ code: 0, stdout: `${name} is created.\n` });
      expect(put.stdout + put.stderr).not.toContain(kind === 'webhook' ? HOOK_KEY : secret);
    }
  });

  it('is late before its first commit too, but not on the day of its deployment', async () => {
    for (const _ of ['noted', 'read']) expect(await story.stack.invoke('watch', {})).toEqual({});
    const { Lake = '' } = await story.stack.outputs();
    await using lake = s3Lake(Lake, { pathStyle: true });
    const since = new Date(Date.now() - 1.3 * DAY_MS).toISOString();
    await lake.write(lakeKey('watch'), Buffer.from(JSON.stringify({ since })));
    await expect(story.stack.invoke('watch', {})).rejects.toThrow('Nothing was ever committed since');
  });
}
