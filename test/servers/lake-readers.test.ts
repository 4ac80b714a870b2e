import { execFile, spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leavingDatabase } from '#cli/local-services.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { evidence, pythonReaders, SUPERSET_SECRET_KEY, superset } from './support/installed.ts';

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
  it('in Python: to DuckDB, pandas, polars and SQLAlchemy', async () => {
    const script = join(import.meta.dirname, 'apps', 'read_lake.py');
    const { stdout } = await run(await pythonReaders(), [script, database, CHART]);
    expect(wanted.length).toBeGreaterThan(1);
    expect(JSON.parse(stdout)).toEqual({
      duckdb: wanted,
      pandas: wanted,
      polars: wanted,
      sqlalchemy: wanted,
    });
  });

  it('to Evidence, by its own connector', async () => {
    const load = createRequire(join(await evidence(), 'package.json'));
    const { rows } = await load('@evidence-dev/duckdb')(CHART, { filename: database });
    const batches: Record<string, unknown>[] = [];
    for await (const batch of rows()) batches.push(...batch);
    expect(batches.map((row) => Object.values(row))).toEqual(wanted);
  });

  it('to Superset, for a chart of its own, and to the same Superset after the next commit', async () => {
    const { python, home } = await superset();
    const folder = join(lab.folder, 'superset');
    await cp(home, folder, { recursive: true });
    const chart = {
      columns: ['export_source', 'state'],
      metrics: [{ expressionType: 'SQL', sqlExpression: 'count(*)', label: 'screens' }],
      orderby: ['export_source', 'state'].map((name) => [name, true]),
      row_limit: 1000,
    };
    const script = join(import.meta.dirname, 'apps', 'superset_chart.py');
    const child = spawn(python, [script, database, 'screen_status', JSON.stringify(chart)], {
      env: { ...process.env, SUPERSET_HOME: folder, SUPERSET_SECRET_KEY },
    });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async () => {
      child.stdin.write('\n');
      const { value } = await answers.next();
      if (value === undefined) throw new Error(said);
      return (JSON.parse(value) as object[]).map((row) => Object.values(row));
    };
    expect(await ask()).toEqual(wanted);
    lab.simulator.day = 30;
    await lab.run('2026-11-22T03:00:00Z', { services: leavingDatabase });
    const next = (await lab.query(CHART)).rows;
    expect(next).not.toEqual(wanted);
    expect(await ask()).toEqual(next);
    child.stdin.end();
  });
});
