import { expect, test } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { publish } from '#lib/publish/publish.ts';
import { readSummary } from '#lib/run/summary.ts';
import type { SharedDuckDb } from '#lib/runtime/services.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { start } from '#lib/start/start.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { stagesWith } from '../support/runs.ts';

/** Enough for each unit alone. */
const ROOM_MIB = 128;
/** Each row takes 64 bytes: what a neighbour holds leaves a unit a fifth of the room. */
const HELD_ROWS = 1_500_000;
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

test('a unit that has no room beside another waits for it, and sets nobody aside', async () => {
  const groups = [1, 2, 3].map((Id) => ({ Id, Note: 'x'.repeat(LARGE) }));
  await using lab = await fixtureLab({ [`${SIGNAGE}/AppGroups`]: { body: JSON.stringify(groups) } });
  const secrets = {
    read: async (name: string) =>
      name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' },
  };
  const tight = { ...localServices(lab.lake), memoryLimitMiB: ROOM_MIB, spillLimitMiB: 1, threads: 1 };
  await using all = localApiServices(tight, secrets, () => 0);
  const { duckDb } = all;
  if (duckDb === undefined) throw new Error('the stages of a process share one DuckDB');
  const tries: string[] = [];
  const holds = Promise.withResolvers<void>();
  const somebodyWaits = Promise.withResolvers<void>();
  const watched: SharedDuckDb = {
    connect: duckDb.connect,
    beside: (work) => {
      tries.push('beside');
      return duckDb.beside(work);
    },
    alone: (work) => {
      tries.push('alone');
      const done = duckDb.alone(work);
      somebodyWaits.resolve();
      return done;
    },
  };
  /** Another unit, which has most of the memory until somebody waits for its end. */
  const neighbour = () =>
    duckDb.beside(async () => {
      using db = await duckDb.connect();
      await db.run(
        `create temp table held as select md5(n::varchar) || md5((n + 1)::varchar) as text from range(${HELD_ROWS}) as all_of (n)`,
      );
      holds.resolve();
      await somebodyWaits.promise;
    });

  const { config } = lab;
  const started = await start({ scheduledTime: '2026-11-20T03:00:00Z' }, { ...all, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('the lake is not free');
  let others: Promise<void> | undefined;
  await interpret(started.input, {
    ...stagesWith((task) => (task === 'Plan' ? { ...all, publishWidth: 1 } : all)),
    PublishUnit: async (event) => {
      // The first unit is the largest.
      others ??= neighbour();
      await holds.promise;
      const published = await publish(event, { ...all, duckDb: watched });
      somebodyWaits.resolve();
      return published;
    },
  });
  await others;
  expect(await readSummary(lab.lake, started.input)).toMatchObject({ status: 'complete' });
  expect(tries.slice(0, 2)).toEqual(['beside', 'alone']);
  expect(tries.filter((way) => way === 'alone')).toHaveLength(1);
}, 120_000);
