import { describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runCounters } from '#lib/estimate/run-counters.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { storedRaw } from '#lib/run/raw-of-run.ts';
import { readSummary } from '#lib/run/summary.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { begin } from '../support/begin.ts';
import { type ExportLab, exportLab, labSecrets, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { stagesWith } from '../support/runs.ts';

/** A lake that counts the requests that S3 would charge for, in one call of a stage: a copy is fetched once. */
function meteredLake(lake: Lake, requests: Record<'puts' | 'lists' | 'gets', number>): Lake {
  const copied = new Set<string>();
  const counted = async <T>(put: Promise<T>): Promise<T> => {
    const result = await put;
    requests.puts += 1;
    return result;
  };
  return {
    ...lake,
    read: (key) => {
      requests.gets += 1;
      return lake.read(key);
    },
    open: async (key) => {
      requests.gets += 1;
      const reader = await lake.open(key);
      const read = async (offset: number, length: number) => {
        requests.gets += Math.min(1, length);
        return await (reader ?? expect.fail()).read(offset, length);
      };
      return reader && { ...reader, read };
    },
    write: (key, ...put) => counted(lake.write(key, ...put)),
    moveIn: async (key, ...put) => {
      await counted(lake.moveIn(key, ...put));
      copied.add(key);
    },
    async *list(prefix, after) {
      let keys = 0;
      requests.lists += 1;
      for await (const each of lake.list(prefix, after)) {
        keys += 1;
        if (keys % 1000 === 0) requests.lists += 1;
        yield each;
      }
    },
    localPaths: (keys) => {
      const missing = [...new Set(keys)].filter((key) => !copied.has(key));
      requests.gets += missing.length;
      for (const key of missing) copied.add(key);
      return lake.localPaths(keys);
    },
  };
}

/** 307 players are 614 child calls: two batches of one call at a time. No number of them is round, which would be asked about. */
const PLAYERS = 307;

/** As if a Lambda bore no more: screens and transfers are published in several units each. */
const UNIT_BYTES = 3000;

/** Where a listing says nothing of pages, the first day tries the usual ways to further ones, which count as no page. */
const TRIES = 3;
/** Storages and application groups; of the players and licences there are too many and too few. */
const SILENT_LISTINGS = 2;

/** The longest children are tried too where they are a round number: each new greatest one, once a batch. */
const LONGEST_CHILDREN = 10;

/** The first run of a lake puts its marker, and the parents of each source. */
const MARKER = 1;

/** A run as the flow makes it, with all that AWS would count of it. */
async function countedRun(lab: ExportLab, scheduledTime: string) {
  const unitBytes = UNIT_BYTES;
  const meter = { puts: 0, lists: 0, gets: 0 };
  const fresh = () => meteredLake(lab.lake, meter);
  const local = { ...localServices(fresh()), unitBytes };
  await using services = localApiServices(local, labSecrets(lab.simulator));
  const input = await begin({ scheduledTime }, { ...services, config: lab.config });
  let lambdas = 1;
  const stages = stagesWith(() => {
    lambdas += 1;
    return { ...services, lake: fresh() };
  });
  // A source's child execution costs its parent a transition, which the interpreter does not show.
  let transitions = lab.config.sources.length;
  await interpret(input, stages, { onStateEntered: () => transitions++ });
  const summary = await readSummary(lab.lake, input);
  const raw = await storedRaw(lab.lake, { runId: summary.runId });
  const sources = lab.config.sources.map((source) => {
    const own = raw.filter((each) => each.source === source.name);
    const { listed: parents = 0 } = summary.sources.find(({ name }) => name === source.name) ?? {};
    return { source, parents, rawBytes: new Map(own.map(({ resource, bytes }) => [resource, bytes])) };
  });
  return { meter, lambdas, transitions, summary, expected: runCounters(sources, unitBytes) };
}

describe('the counters of a run', () => {
  it('are those of a real one: calls, Lambdas, transitions, objects put', async () => {
    await using lab = await exportLab({ players: PLAYERS }, { signage: { concurrency: 1 } });
    const { meter, summary, expected, ...run } = await countedRun(lab, '2026-11-20T03:00:00Z');
    const ledgerParts = Object.values(summary.tables).filter(({ rejected }) => rejected > 0).length;
    expect(expected.units).toBeGreaterThan(12);
    expect(expected.batches).toEqual([2, 1]);
    const tried = summary.requests - expected.calls - SILENT_LISTINGS * TRIES;
    expect(tried / TRIES).toBeGreaterThanOrEqual(0);
    expect(tried / TRIES).toBeLessThanOrEqual(LONGEST_CHILDREN);
    expect(run).toEqual({ lambdas: expected.lambdas, transitions: expected.transitions });
    expect(meter.puts).toBe(expected.puts + ledgerParts + MARKER + lab.config.sources.length);
    expect(lab.simulator.stats.requests).toBe(summary.requests);
  });

  it('are those of sources with more batches than one call takes, and of one without players', async () => {
    await using lab = await exportLab({ players: 1250 }, { signage: { concurrency: 1 } });
    const { expected, lambdas, transitions } = await countedRun(lab, '2026-11-20T03:00:00Z');
    expect(expected.batches[0]).toBeGreaterThan(4);
    const ofSources = expected.batches.map((batches) => (batches > 4 ? 4 + batches : 4));
    expect(transitions).toBe(ofSources.reduce((sum, each) => sum + each, 6 + expected.units));
    expect([lambdas, transitions]).toEqual([expected.lambdas, expected.transitions]);
    await using empty = await exportLab({ players: 0 }, SIGNAGE_ALONE);
    const none = await countedRun(empty, '2026-11-20T03:00:00Z');
    expect(none.expected.batches).toEqual([0]);
    expect(none.transitions).toBe(none.expected.transitions);
  });

  it('are near those of a later run: objects put and read, pages of lists', async () => {
    // Its own raw goes with the commit, as that of an old run.
    await using lab = await exportLab({ players: 50 }, { config: { rawRetentionDays: 0 } });
    await lab.run('2026-11-20T03:00:00Z');
    const { meter, expected } = await countedRun(lab, '2026-11-21T03:00:00Z');
    for (const name of ['puts', 'lists', 'gets'] as const) {
      const says = `${name}: ${meter[name]}, and ${expected[name]} by the estimate`;
      expect(Math.abs(meter[name] / expected[name] - 1), says).toBeLessThan(0.2);
    }
  });
});
