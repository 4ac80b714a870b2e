import { expect, test } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { readSummary } from '#lib/run/summary.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { start } from '#lib/start/start.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { stagesWith } from '../support/runs.ts';

const LARGE = 4 * 2 ** 20;

/** Each listing alone needs less than the memory, and two of them at once more. */
const BESIDE_MIB = 96;

test('plan tries a listing that had no room beside another again, alone', async () => {
  const records = (word: string) =>
    JSON.stringify([1, 2, 3, 4].map((Id) => ({ Id, Note: word.repeat(LARGE / word.length) })));
  await using lab = await fixtureLab({
    [`${SIGNAGE}/AppGroups`]: { body: records('abcd') },
    [`${SIGNAGE}/Licenses`]: { body: records('efgh') },
  });
  const { config, lake } = lab;
  const secrets = {
    read: async (name: string) =>
      name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' },
  };
  await using all = localApiServices(localServices(lake), secrets, () => 0);
  const { duckDb: _, ...own } = all;
  const tight = { ...own, memoryLimitMiB: BESIDE_MIB, spillLimitMiB: 1, threads: 1 };
  const started = await start({ scheduledTime: '2026-11-20T03:00:00Z' }, { ...all, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('the lake is not free');
  await interpret(
    started.input,
    stagesWith((task) => (task === 'Plan' ? tight : all)),
  );
  expect(await readSummary(lake, started.input)).toMatchObject({ status: 'complete' });
}, 120_000);
