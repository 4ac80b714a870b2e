import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '#lib/run/summary.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { SERVED_NAMES } from '#simulator/kind.ts';
import { type ExportLab, exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { tablesAsText } from '../support/same-tables.ts';
import { someOf } from '../support/some-of.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';
const READ = ['players', 'screens', 'outcomes', 'changes', 'screens_daily'];
const atOnce = { random: () => 0 };

let lab: ExportLab;
let failing: RunSummary;
const seen: string[] = [];
const wanted: string[] = [];

/** Two days; the second with listings that fail, are gone or denied, while a reader asks all the time. */
beforeAll(async () => {
  lab = await exportLab({ players: 60, seed: 5 });
  await lab.run(DAY_1);
  wanted.push(JSON.stringify(await tablesAsText(lab.lake, READ)));
  lab.simulator.day = 1;
  await lab.simulator.setFaults('gone:0.1,denied:0.1,500:1@resource=licenses,reset:0.05');
  const reading = new AbortController();
  const reader = (async () => {
    while (!reading.signal.aborted) seen.push(JSON.stringify(await tablesAsText(lab.lake, READ)));
  })();
  failing = await lab.run(DAY_2, atOnce);
  reading.abort();
  await reader;
  wanted.push(JSON.stringify(await tablesAsText(lab.lake, READ)));
}, 60_000);
afterAll(() => lab[Symbol.asyncDispose]());

describe('R1: a reader never sees a mixture of two runs, nor an empty table', () => {
  it('sees one run or the next, and nothing else', () => {
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.filter((state) => !wanted.includes(state))).toEqual([]);
    expect(seen.toSorted((a, b) => wanted.indexOf(a) - wanted.indexOf(b))).toEqual(seen);
  });
});

describe('R3: everything that a listing promised ends as exactly one outcome', () => {
  it('the counts add up, in outcomes, in runs and in the summary', async () => {
    const today = lab.simulator.world.at(1);
    const due = SERVED_NAMES.flatMap((name) => [...today.parents(name)]).length;
    const [outcomes] = await lab.rows(`
      select count(*) as n, count(distinct (export_source, resource, parent_id)) as items
      from outcomes`);
    expect(outcomes).toEqual({ n: due, items: due });
    const [runs] = await lab.rows(
      "select sum(ok + empty + gone + denied + failed) as n from runs where export_date = '2026-11-21'",
    );
    expect(runs).toEqual({ n: due });
    const counted = failing.sources.flatMap((source) => Object.values(source.outcomes));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(due);
    const kinds = await lab.rows('select distinct outcome from outcomes order by all');
    expect(kinds.map(({ outcome }) => outcome)).toEqual(['denied', 'empty', 'failed', 'gone', 'ok']);
  });
});

describe('R5: a column has one physical type in all files that the catalog names', () => {
  it('in every file of every table', async () => {
    using tables = await openTables(lab.lake);
    for (const [table, { dates }] of someOf(Object.entries(tables.head.tables))) {
      const folders = Object.entries(dates).flatMap(([date, { run, parts }]) =>
        parts.map((part) => `export_date=${date}/run=${run}/part-${String(part).padStart(4, '0')}.parquet`),
      );
      const paths = await lab.lake.localPaths(folders.map((path) => `tables/${table}/${path}`));
      if (paths.length === 0) continue;
      const { rows } = await tables.query(`
        select name
        from parquet_schema([${paths.map((path) => `'${path}'`)}])
        where type is not null
        group by name
        having count(distinct (type, logical_type, scale)) > 1`);
      expect(rows, table).toEqual([]);
    }
  });
});

describe('R6: no run is green below its coverage threshold', () => {
  it.each([
    { minCoverage: 0.99, status: 'failed' },
    { minCoverage: 0.5, status: 'partial' },
  ])('with $minCoverage due the source is $status', { timeout: 30_000 }, async ({ minCoverage, status }) => {
    const settings = { ...SIGNAGE_ALONE, config: { minCoverage } };
    await using other = await exportLab({ players: 30, seed: 5 }, settings);
    await other.simulator.setFaults('denied:0.2');
    const { sources } = await other.run(DAY_1);
    expect(sources[0]).toMatchObject({ name: 'berlin', status });
    expect(sources[0]?.coverage).toBeLessThan(0.99);
    expect(sources[0]?.coverage).toBeGreaterThan(0.5);
  });
});

describe('R7: every record is a row', () => {
  it('of those that were answered, once and no other', async () => {
    const { world, parentsMeeting } = lab.simulator;
    const left = (id: number) => parentsMeeting('gone').has(id) || parentsMeeting('denied').has(id);
    for (const name of ['players', 'screens', 'pending_file_transfers', 'app_groups'] as const) {
      const truth = [...world.at(1).all(name)].filter(
        ({ parentId }) => parentId === undefined || !left(parentId),
      );
      const rows = await lab.rows(`
        select count(*) as n, count(distinct record_key) as keys
        from ${name}
        where export_run_id = '20261121T030000Z'`);
      expect(rows, name).toEqual([{ n: truth.length, keys: truth.length }]);
    }
  });
});

describe('R9: nothing that loses rows is guessed', () => {
  it.each(['paging-ignored', 'total-wrong', 'repeats-forever', 'silent-cap'])(
    'an API with %s is an error by name',
    { timeout: 30_000 },
    async (profile) => {
      await using other = await exportLab({ players: 60, profile, pageSize: 20 }, SIGNAGE_ALONE);
      const { sources } = await other.run(DAY_1, atOnce);
      expect(sources[0]).toMatchObject({ status: 'failed' });
      expect(sources[0]?.error?.code).toMatch(/^(PAGING_|TOTAL_MISMATCH|LISTING_UNSTABLE)/);
      expect(await other.rows('select count(*) n from players')).toEqual([{ n: 0 }]);
    },
  );
});
