import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { start } from '#lib/contracts/start.ts';
import { runCounters } from '#lib/estimate/run-counters.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { rawOfRun } from '#lib/run/raw-of-run.ts';
import { readSummary } from '#lib/run/summary.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { type ExportLab, exportLab, labSecrets } from '../support/export-lab.ts';
import { stagesWith } from '../support/runs.ts';

/** 12,525 players are 25,050 child calls: two batches. Their 501 storages are no round number, which would be asked about. */
const PLAYERS = 12_525;

/** As if a Lambda bore no more: screens and transfers are published in several units each. */
const UNIT_BYTES = 100_000;

/**
 * If a listing says nothing of pages, the first day tries the usual ways to further ones. These do not count as pages.
 */
const TRIES = 3;
/** Storages and application groups; of the players and licences there are too many and too few. */
const SILENT_LISTINGS = 2;

/** The longest children are tried too where they are a round number: each new greatest one, once a batch. */
const LONGEST_CHILDREN = 10;

let lab: ExportLab;
beforeAll(async () => {
  lab = await exportLab({ players: PLAYERS });
});
afterAll(() => lab[Symbol.asyncDispose]());

/** The first run of a lake puts its marker. */
const MARKER = 1;

describe('the counters of a run', () => {
  it('are those of a real one: calls, Lambdas, transitions, objects put', async () => {
    let puts = 0;
    const counted = async <T>(put: Promise<T>): Promise<T> => {
      const result = await put;
      puts += 1;
      return result;
    };
    const lake: Lake = {
      ...lab.lake,
      write: (key, ...put) => counted(lab.lake.write(key, ...put)),
      moveIn: (key, ...put) => counted(lab.lake.moveIn(key, ...put)),
    };
    await using services = localApiServices(
      { ...localServices(lake), unitBytes: UNIT_BYTES },
      labSecrets(lab.simulator),
    );
    const begun = await start(
      { scheduledTime: '2026-11-20T03:00:00Z' },
      { ...services, ...LOCAL_HOLDER, config: lab.config },
    );
    if (begun.kind !== 'started') throw new Error(begun.kind);
    let lambdas = 1;
    let transitions = 0;
    const stages = stagesWith(() => {
      lambdas += 1;
      return services;
    });
    await interpret(begun.input, stages, { onStateEntered: () => transitions++ });
    const summary = await readSummary(lake, begun.input);
    const tables = Object.values(summary.tables);
    const ledgerParts = tables.filter(({ rejected }) => rejected > 0).length;
    const raw = await rawOfRun(
      lake,
      summary.runId,
      lab.config.sources.map(({ name }) => name),
    );
    const bytesOf = (files: typeof raw) => new Map(files.map(({ resource, bytes }) => [resource, bytes]));
    const expected = runCounters(
      lab.config.sources.map((source) => ({
        source,
        parents: summary.sources.find(({ name }) => name === source.name)?.listed ?? 0,
        rawBytes: bytesOf(raw.filter((each) => each.source === source.name)),
      })),
      { ledgerParts, unitBytes: UNIT_BYTES },
    );
    expect(expected.units).toBeGreaterThan(12);
    expect(expected.batches).toEqual([2, 1]);
    // A source's child execution costs its parent a transition, which the interpreter does not show.
    const childStarts = lab.config.sources.length;
    const tried = summary.requests - expected.calls - SILENT_LISTINGS * TRIES;
    expect(tried / TRIES).toBeGreaterThanOrEqual(0);
    expect(tried / TRIES).toBeLessThanOrEqual(LONGEST_CHILDREN);
    expect({ lambdas, transitions: transitions + childStarts }).toEqual({
      lambdas: expected.lambdas,
      transitions: expected.transitions,
    });
    expect(puts).toBe(expected.puts + MARKER);
    expect(lab.simulator.stats.requests).toBe(summary.requests);
  });
});
