import { spawnSync } from 'node:child_process';
import { chmod, cp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { addPurge } from '#cli/purge.ts';
import { addRollback } from '#cli/rollback.ts';
import { addRun } from '#cli/run.ts';
import { addSchema } from '#cli/schema.ts';
import { statusOf } from '#cli/status-of.ts';
import { addViews } from '#cli/views.ts';
import { readHead } from '#lib/lake/head.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { leaveDatabase } from '#lib/views/leave-database.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { cli, placesOf } from '../cli/support.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { stockClient } from '../support/stock-client.ts';

/** What is counted of a table: its rows, and a sum that changes with every cell; an age by the clock of now is left out. */
const FIGURES = (name: string) => {
  const cells = name === 'export_health' ? '* exclude (hours_since_run)' : '*';
  return `select count(*)::varchar, coalesce(sum(hash(t::varchar))::varchar, '') from (select ${cells} from "${name}") as t`;
};

/** The tables, views and columns without a sentence next to them, and how many have one. */
const COMMENTS = `
  select count(comment)::int, list(name) filter (where comment is null)::varchar
  from (
    select view_name as name, comment from duckdb_views() where database_name = current_database() and not internal
    union all
    select table_name, comment from duckdb_tables() where database_name = current_database()
    union all
    select table_name || '.' || column_name, comment from duckdb_columns() where database_name = current_database() and not internal
  )`;

const isAny = () => true;
const isTable = (name: string) => TABLES.some((table) => [table.name, `${table.name}_daily`].includes(name));

/** What is counted of each table and view. */
async function figuresBy(
  rows: (sql: string) => Promise<readonly unknown[]>,
  isOne: (name: string) => boolean,
) {
  const names = await rows(
    "select table_name from information_schema.tables where table_catalog = current_database() and table_schema = 'main' and table_name <> 'lake_commit'",
  );
  const found: Record<string, unknown> = {};
  for (const name of names.map(String).filter(isOne)) found[name] = (await rows(FIGURES(name)))[0];
  return found;
}

/** By a client that knows nothing of us. */
async function countedBy(file: string, isOne: (name: string) => boolean = isTable) {
  using reader = await stockClient(file);
  return await figuresBy((sql) => reader.rows(sql), isOne);
}

let lab: ExportLab;
let database: string;
let places: readonly string[];
const silence = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);

/** A command of the command line, as it is typed. */
async function command(add: Parameters<typeof cli>[0], ...args: readonly string[]): Promise<void> {
  await cli(add, ...args, ...places);
  process.exitCode = undefined;
}

const run = (runTime: string) => command(addRun, 'run', '--backdate', '--run-time', runTime);

async function deniedRun(): Promise<void> {
  lab.simulator.day = 1;
  await lab.simulator.setFaults('denied:0.2');
  await run('2026-11-21T03:00:00Z');
  await lab.simulator.setFaults('');
}

/** By `query`. */
async function counted(isOne: (name: string) => boolean = isTable) {
  using tables = await openTables(lab.lake);
  return await figuresBy(async (sql) => (await tables.query(sql)).rows, isOne);
}

beforeAll(async () => {
  lab = await exportLab({ players: 60, seed: 5 });
  database = join(lab.lake.name, 'lake.duckdb');
  places = await placesOf(lab);
});
afterAll(async () => {
  silence.mockRestore();
  await lab[Symbol.asyncDispose]();
});

describe('lake.duckdb, to a client that knows nothing of us', () => {
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    ['a first run', () => run('2026-11-20T03:00:00Z')],
    ['a second run that was denied some', deniedRun],
    // All that operators do ends with the same commit.
    ['a type that is applied', () => command(addSchema, 'schema', 'apply', 'players.box_id', 'varchar')],
    ['a rollback', () => command(addRollback, 'rollback', '20261120T030000Z')],
    ['a purge', () => command(addPurge, 'purge', '--source', 'vault')],
  ];
  it.each(steps)('holds the same rows as query after %s', async (_, step) => {
    await step();
    // Views are the same SQL at each step: all are compared after the first and the last.
    const isOne = [steps.at(0), steps.at(-1)].some((each) => each?.[1] === step) ? isAny : isTable;
    const wanted = await counted(isOne);
    expect(Object.keys(wanted).length).toBeGreaterThan(isOne === isAny ? 30 : 10);
    expect(await countedBy(database, isOne)).toEqual(wanted);
  });

  it('has a sentence next to each table, view and column', async () => {
    using reader = await stockClient(database);
    const [[said, unsaid] = []] = await reader.rows(COMMENTS);
    expect(unsaid).toBeNull();
    expect(said).toBeGreaterThan(500);
  });

  it('has the rows of its views in a file of views --store, where no view reads the lake', async () => {
    const stored = join(lab.folder, 'stored.duckdb');
    await command(addViews, 'views', '--out', stored, '--store');
    expect(await countedBy(stored, isAny)).toEqual(await counted(isAny));
    using reader = await stockClient(stored);
    expect(await reader.rows(COMMENTS)).toEqual([[expect.any(Number), null]]);
    const sql = "select table_name from information_schema.views where table_catalog = 'lake'";
    const views = await reader.rows(sql);
    expect(views.map(String).filter((name) => name !== 'lake_commit' && !isTable(name))).toEqual([]);
    await expect(command(addViews, 'views', '--store')).rejects.toThrow('--out stored.duckdb');
    // Who may read it stays as its owner has set it.
    await chmod(stored, 0o600);
    await command(addViews, 'views', '--out', stored);
    expect((await stat(stored)).mode & 0o777).toBe(0o600);
  });

  it('is written again where the process that committed died before it, and else not touched', async () => {
    const before = await readFile(database);
    await run('2026-11-20T03:00:00Z');
    expect((await readFile(database)).equals(before)).toBe(true);
    await rm(database);
    await run('2026-11-20T03:00:00Z');
    expect(await countedBy(database)).toEqual(await counted());
  });

  it('has no room: the run is committed all the same, and a warning says how it is written later', async () => {
    await rm(database);
    const words = ['run', '--backdate', '--run-time', '2026-11-20T03:00:00Z', ...places];
    // No file beyond 64 × 512 bytes: the nearest to a full disk that needs no rights.
    const line = 'ulimit -f 64 && exec "$0" cli/main.ts "$@"';
    const shell = ['-c', line, process.execPath, ...words];
    const { status, stderr } = spawnSync('sh', shell, { encoding: 'utf8' });
    const warning =
      /^warning: lake.duckdb still shows .*No space is left .*write lake.duckdb with `.* views --lake /m;
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(warning) });
    expect(stderr).not.toContain('INTERNAL_ERROR');
    await command(addViews, 'views');
    expect(await countedBy(database)).toEqual(await counted());
  });

  it('keeps who has it open at its commit, whole, while another replaces it', async () => {
    using reader = await stockClient(database);
    const commit = 'select run_id, attempt from lake_commit';
    const shown = () => Promise.all([FIGURES('players'), commit].map((sql) => reader.rows(sql)));
    const before = await shown();
    lab.simulator.day = 2;
    await run('2026-11-22T03:00:00Z');
    expect(await shown()).toEqual(before);
    const { runId, attempt } = (await readHead(lab.lake))?.head ?? expect.fail();
    using next = await stockClient(database);
    expect(await next.rows(commit)).toEqual([[runId, attempt]]);
  });

  it('of a lake that was moved is written again by views, as a file or as SQL', async () => {
    const moved = join(lab.folder, 'moved');
    await cp(lab.lake.name, moved, { recursive: true });
    const wanted = await counted();
    await rm(lab.lake.name, { recursive: true });
    try {
      using stale = await stockClient(join(moved, 'lake.duckdb'));
      await expect(stale.rows(FIGURES('players'))).rejects.toThrow(/No files found/);
      await cli(addViews, 'views', '--lake', moved);
      expect(await countedBy(join(moved, 'lake.duckdb'))).toEqual(wanted);
      const script = join(lab.folder, 'lake.sql');
      await cli(addViews, 'views', '--lake', moved, '--out', script);
      const made = join(lab.folder, 'made.duckdb');
      const instance = await DuckDBInstance.create(made);
      const connection = await instance.connect();
      await connection.run(await readFile(script, 'utf8'));
      const [[, unsaid] = []] = (await connection.runAndReadAll(COMMENTS)).getRowsJson();
      expect(unsaid).toBeNull();
      for (const each of [connection, instance]) each.closeSync();
      expect(await countedBy(made)).toEqual(wanted);
    } finally {
      await cp(moved, lab.lake.name, { recursive: true });
    }
  });

  it('R12: one of an earlier commit stays in the status until it is written again', async () => {
    const isOld = async () => (await statusOf(lab.lake.name, undefined)).isDatabaseOld;
    const earlier = await readFile(database);
    await run('2026-11-25T03:00:00Z');
    expect(await isOld()).toBe(false);
    await writeFile(database, earlier);
    expect(await isOld()).toBe(true);
    await command(addViews, 'views');
    expect(await isOld()).toBe(false);
  });

  it('is not put over that of a later commit by a process that was paused while it made it', async () => {
    let isPaused = false;
    const slow: Lake = {
      ...lab.lake,
      moveIn: async (...put) => {
        const isFirst = !isPaused;
        isPaused = true;
        if (isFirst) await run('2026-11-27T03:00:00Z');
        await lab.lake.moveIn(...put);
      },
    };
    await leaveDatabase(localServices(slow));
    expect(isPaused).toBe(true);
    using client = await stockClient(database);
    expect(await client.rows('select run_id from lake_commit')).toEqual([['20261127T030000Z']]);
  });

  it('that another process writes again and again ends the tries in a sentence', async () => {
    const busy: Lake = { ...lab.lake, moveIn: async (key) => Promise.reject(new ConditionFailed(key)) };
    await expect(leaveDatabase(localServices(busy))).rejects.toMatchObject({ code: 'LAKE_BUSY' });
  });
});
