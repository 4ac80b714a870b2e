import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leavingDatabase } from '#cli/leaving-database.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { evidence, pythonReaders } from './support/installed.ts';

const run = promisify(execFile);

/** What a chart of screens by state asks: a figure a bar. */
const CHART =
  'select export_source, state, count(*) as screens from screen_status group by export_source, state order by export_source, state';

let lab: ExportLab;
let database: string;
let wanted: readonly (readonly unknown[])[];
beforeAll(async () => {
  lab = await exportLab({ players: 60, seed: 5 });
  await lab.run('2026-11-20T03:00:00Z', { services: leavingDatabase });
  lab.simulator.day = 1;
  // Two attempts of a date: whoever reads tables/ by its folders finds the rows of both.
  await lab.run('2026-11-20T15:00:00Z', { services: leavingDatabase });
  database = join(lab.lake.name, 'lake.duckdb');
  wanted = (await lab.query(CHART)).rows;
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('lake.duckdb answers the query of a chart as query does', () => {
  it('in Python: to DuckDB, pandas, polars, and to SQLAlchemy as Superset asks', async () => {
    const script = join(import.meta.dirname, 'apps', 'read_lake.py');
    const { stdout } = await run(await pythonReaders(), [script, database, CHART]);
    expect(wanted.length).toBeGreaterThan(1);
    expect(JSON.parse(stdout)).toEqual({ duckdb: wanted, pandas: wanted, polars: wanted, superset: wanted });
  });

  it('to Evidence, by its own connector', async () => {
    const load = createRequire(join(await evidence(), 'package.json'));
    const { rows } = await load('@evidence-dev/duckdb')(CHART, { filename: database });
    const batches: Record<string, unknown>[] = [];
    for await (const batch of rows()) batches.push(...batch);
    expect(batches.map((row) => Object.values(row))).toEqual(wanted);
  });
});
