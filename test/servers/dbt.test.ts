import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { DAY_MS } from '#lib/time.ts';
import { leaveDatabase } from '#lib/views/leave-database.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { type ClockedLake, clockedLake } from '../queries/clocked-lake.ts';
import { labConfig, labSecrets } from '../support/export-lab.ts';
import { pythonDbt } from './support/installed.ts';

let dbt: string;
let simulator: Simulator;
let lake: ClockedLake;
beforeAll(async () => {
  dbt = join(await pythonDbt(), '..', 'dbt');
  simulator = await startSimulator({ players: 60, seed: 5 });
  lake = await clockedLake(labConfig(simulator.url), labSecrets(simulator));
  await cp('examples/dbt', join(lake.folder, 'dbt'), { recursive: true });
}, 120_000);
afterAll(async () => {
  await simulator?.close();
  await lake?.[Symbol.asyncDispose]();
});

/** dbt compares with the clock of now, so the runs are that many days ago. */
async function runAgo(days: number): Promise<void> {
  await lake.run(`${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 19)}Z`);
  await leaveDatabase(localServices(lake.lake));
}

/** What dbt says of each node, and whether it succeeded. */
async function statusesOf(file: string, words: readonly string[], of = lake.lake.name) {
  const cwd = join(lake.folder, 'dbt');
  const env = {
    ...process.env,
    LAKE: of,
    WAREHOUSE: join(lake.folder, 'warehouse.duckdb'),
    DBT_SEND_ANONYMOUS_USAGE_STATS: 'false',
  };
  const exit = await new Promise((done) => {
    execFile(dbt, [...words, '--profiles-dir', '.'], { cwd, env }, (error) => done(error?.code ?? 0));
  });
  const { results } = JSON.parse(await readFile(join(cwd, 'target', file), 'utf8'));
  const statuses: Record<string, number> = {};
  for (const { status } of results) statuses[status] = (statuses[status] ?? 0) + 1;
  return { exit, statuses };
}

async function inDatabase(file: string, sql: string) {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe('examples/dbt', () => {
  it('says that a lake is stale, and that it is fresh after the next run', { timeout: 120_000 }, async () => {
    await runAgo(3);
    const stale = await statusesOf('sources.json', ['source', 'freshness']);
    expect(stale).toEqual({ exit: 1, statuses: { error: 1 } });
    for (const days of [2, 1, 0]) {
      simulator.day += 1;
      await runAgo(days);
    }
    const fresh = await statusesOf('sources.json', ['source', 'freshness']);
    expect(fresh).toEqual({ exit: 0, statuses: { pass: 1 } });
  });

  it('tests the sources, makes the models, and tests them', { timeout: 120_000 }, async () => {
    const { exit, statuses } = await statusesOf('run_results.json', ['build']);
    expect({ exit, statuses }).toEqual({ exit: 0, statuses: { pass: 31, success: 5, 'no-op': 2 } });
    const warehouse = join(lake.folder, 'warehouse.duckdb');
    const made = await inDatabase(warehouse, 'select count(*)::int from stg_players');
    const said = await lake.rows('select count(*) as n from player_health where is_expected');
    expect(made).toEqual([[said[0]?.['n']]]);
  });

  it('finds a screen that is there twice', { timeout: 120_000 }, async () => {
    const broken = join(lake.folder, 'broken');
    await mkdir(broken);
    await cp(join(lake.lake.name, 'lake.duckdb'), join(broken, 'lake.duckdb'));
    await inDatabase(
      join(broken, 'lake.duckdb'),
      'create table once as from screen_status; create or replace view screen_status as from once union all from once',
    );
    const { exit, statuses } = await statusesOf('run_results.json', ['test'], broken);
    expect(exit).toBe(1);
    expect(statuses['fail']).toBeGreaterThan(0);
  });
});
