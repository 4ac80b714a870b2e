import { expect, test } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { readSummary } from '#lib/run/summary.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { begin } from '../support/begin.ts';
import { fixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { stagesWith } from '../support/runs.ts';

const MIB = 2 ** 20;

test('large records that publish has no memory for together set their table aside, for their source alone', async () => {
  const groups = (text: string) => ({
    [`${SIGNAGE}/AppGroups`]: { body: JSON.stringify([1, 2, 3].map((Id) => ({ Id, Name: text }))) },
    [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Name: text.slice(0, 10) }]) },
  });
  await using lab = await fixtureLab(groups('small'));
  await lab.run('2026-11-20T03:00:00Z');
  const summary = await lab.run('2026-11-21T03:00:00Z', groups('x'.repeat(30 * MIB)));
  const due = { error: { code: 'SOURCE_SET_ASIDE', message: expect.stringContaining('91 MiB together') } };
  expect(summary.sources[0]).toMatchObject(due);
  expect(summary.sources[1]).toMatchObject({ status: 'complete' });
  expect(await lab.flat('select distinct name from app_groups')).toEqual(['small']);
  expect(await lab.flat('select name from players')).toEqual(['xxxxxxxxxx']);
});

test('plan tries a listing that had no room beside another again, alone', async () => {
  // Each listing alone needs less than the memory, and two of them at once more.
  const memoryLimitMiB = 96;
  const records = (letter: string) =>
    JSON.stringify([1, 2, 3, 4].map((Id) => ({ Id, Note: letter.repeat(4 * MIB) })));
  await using lab = await signageLab({
    [`${SIGNAGE}/AppGroups`]: { body: records('a') },
    [`${SIGNAGE}/Licenses`]: { body: records('b') },
  });
  const { config, lake } = lab;
  const secrets = { read: async () => ({ apiKey: 'fixture-key' }) };
  await using all = localApiServices(localServices(lake), secrets, () => 0);
  const { duckDb: _, ...own } = all;
  const tight = { ...own, memoryLimitMiB, spillLimitMiB: 1, threads: 1 };
  const input = await begin({ scheduledTime: '2026-11-20T03:00:00Z' }, { ...all, config });
  const stages = stagesWith((task) => (task === 'Plan' ? tight : all));
  await interpret(input, stages);
  expect(await readSummary(lake, input)).toMatchObject({ status: 'complete' });
});
