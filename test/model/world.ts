import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { duckdbType } from '#lib/column-types.ts';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type Head, readHead, readRunHead } from '#lib/lake/head.ts';
import { lakePrefix, parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { tableKeys } from '#lib/lake/table-files.ts';
import type { RepairServices } from '#lib/repair/start-repair.ts';
import { attemptName } from '#lib/run-id.ts';
import { thisProcess } from '#lib/runtime/holder.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import { quoteIdentifier, readParquet } from '#lib/sql.ts';
import { type FixtureAnswer, startFixtureServer } from '#simulator/fixture-server.ts';
import { type Death, dyingLake } from './dying-lake.ts';
import type { Answered, ApiRecord } from './reference-lake.ts';

/** Memory, where the system has such a folder. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Children are cut into several units. */
const UNIT_BYTES = 3000;

export type Row = Readonly<Record<string, string | null>>;

/** A lake and the APIs that fill it, in one process. */
export interface World extends AsyncDisposable {
  readonly lake: Lake;
  /** What each source answers now, by its name. */
  readonly answers: Map<string, Answered>;
  now: Date;
  /** A step of the product, by a process that may die; gives whether it did. */
  step(
    death: Death | undefined,
    step: (services: StepServices) => Promise<unknown>,
  ): Promise<'done' | 'killed'>;
  config(settings: object): Config;
  head(): Promise<Head | undefined>;
  schema(): Promise<Schema>;
  /** As a run's newest commit decided it. */
  schemaOf(runId: string): Promise<Schema>;
  /** Rows of a date of a table as text; without a date, of the newest. */
  rows(table: string, date?: string): Promise<readonly Row[]>;
  /** RUN SOURCE TABLE of the raw answers that are kept. */
  keptRaw(): Promise<ReadonlySet<string>>;
  /** The files of all tables. */
  tableFiles(): Promise<readonly { readonly table: string; readonly date: string; readonly run: string }[]>;
  /** Every object of the lake, by its key. */
  objects(): Promise<ReadonlyMap<string, string>>;
  /** Removes all below the key. */
  lose(prefix: string): Promise<void>;
  /** The key of masks. */
  maskKey: string;
}

export type StepServices = ApiServices & RepairServices;

/** A world with nothing in it. */
export async function openWorld(now: Date): Promise<World> {
  const answers = new Map<string, Answered>();
  const server = await startFixtureServer({
    routes: new Proxy({}, { get: (_, path: string) => answerTo(answers, path) }),
  });
  const folder = await mkdtemp(join(FOLDER, 'signage-export-model-'));
  const lake = folderLake(join(folder, 'lake'));
  const shared = sharedDuckDb({ ...localServices(lake), threads: 1 });
  // A file never changes.
  const read = new Map<string, Files>();
  const world: World = {
    lake,
    answers,
    now,
    maskKey: 'a key of masks',
    config: (settings) => parseConfig(JSON.stringify(withUrl(settings, server.url)), 'model.config.json'),
    step: async (death, step) => {
      const dying = dyingLake(lake, death);
      const secrets = { readKey: async () => world.maskKey, read: async () => ({ apiKey: 'model-key' }) };
      const local = { ...localServices(dying), now: () => world.now, unitBytes: UNIT_BYTES };
      await using api = localApiServices(local, secrets, () => 0);
      // A process that died holds nothing any more.
      const holder = { holder: thisProcess(), holderHasEnded: async () => true };
      const services = { ...api, ...holder, duckDb: shared.connect, config: undefined as unknown as Config };
      try {
        await step(services);
        return 'done';
      } catch (error) {
        if (death !== undefined && dying.changes() >= death.at) return 'killed';
        throw error;
      }
    },
    head: async () => (await readHead(lake))?.head,
    schema: async () => {
      const head = await world.head();
      return head === undefined ? { version: 1, tables: {} } : await readSchema(lake, head.schema);
    },
    schemaOf: async (runId) => {
      const head = await readRunHead(lake, runId);
      if (head === undefined) throw new Error(`run ${runId} has no head`);
      return await readSchema(lake, head.schema);
    },
    rows: async (table, date) => {
      const of = (await world.head())?.tables[table];
      const files = date === undefined ? of?.newest : of?.dates[date] && { date, ...of.dates[date] };
      if (files === undefined || files.parts.length === 0) return [];
      const keys = tableKeys(table, files);
      const name = keys.join(' ');
      const { columns, rows } = read.get(name) ?? (await readFiles(shared, await lake.localPaths(keys)));
      read.set(name, { columns, rows });
      const known = new Map(
        (await world.schema()).tables[table]?.columns.map((each) => [each.name, each.type]),
      );
      for (const [column, type] of columns) {
        const due = known.get(column);
        // Parquet has one form of moments, whatever DuckDB calls it.
        if (due !== undefined && duckdbType(due).replace('_MS', '') !== type)
          throw new Error(`${table}.${column} is ${type} and not ${due}`);
      }
      return rows;
    },
    keptRaw: async () => {
      const kept = new Set<string>();
      for await (const { key } of lake.list(lakePrefix('raw', {}))) {
        const parsed = parseKey(key);
        if (parsed?.kind === 'raw') kept.add(`${parsed.runId} ${parsed.source} ${parsed.resource}`);
      }
      return kept;
    },
    objects: async () => {
      const objects = new Map<string, string>();
      for await (const { key } of lake.list('')) objects.set(key, (await lake.read(key))?.etag ?? '');
      return objects;
    },
    lose: async (prefix) => {
      read.clear();
      for await (const { key } of lake.list(prefix)) await lake.remove([key]);
    },
    tableFiles: async () => {
      const files: { table: string; date: string; run: string }[] = [];
      for await (const { key } of lake.list('tables/')) {
        const parsed = parseKey(key);
        if (parsed?.kind === 'table')
          files.push({ table: parsed.table, date: parsed.exportDate, run: attemptName(parsed) });
      }
      return files;
    },
    [Symbol.asyncDispose]: async () => {
      await shared[Symbol.asyncDispose]();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

interface Files {
  /** DuckDB's types by column. */
  readonly columns: ReadonlyMap<string, string>;
  readonly rows: readonly Row[];
}

async function readFiles(
  { connect }: Pick<ReturnType<typeof sharedDuckDb>, 'connect'>,
  paths: readonly string[],
): Promise<Files> {
  using db = await connect();
  const source = readParquet(paths);
  const described = await db.rows(
    `select column_name as name, column_type as type from (describe select * from ${source})`,
  );
  const columns = new Map(described.map(({ name, type }) => [String(name), String(type)]));
  const cells = [...columns].map(([name, type]) => {
    const own = quoteIdentifier(name);
    return type.startsWith('TIMESTAMP') ? `epoch_ms(${own})::varchar as ${own}` : `${own}::varchar as ${own}`;
  });
  const rows = await db.rows(`select ${cells.join(', ')} from ${source}`);
  return { columns, rows: rows as unknown as readonly Row[] };
}

function withUrl(settings: object, url: string): object {
  const { sources } = settings as { sources: readonly { name: string }[] };
  return {
    ...settings,
    sources: sources.map((source) => ({
      kind: 'signage',
      baseUrl: url,
      basePath: `/${source.name}`,
      secret: source.name,
      requestsPerSecond: null,
      ...source,
    })),
  };
}

const STATUS = { failed: 400, denied: 403, gone: 404 } as const;

function answerTo(answers: ReadonlyMap<string, Answered>, path: string): FixtureAnswer | undefined {
  const [, source = '', , listing = '', player, child] = path.split('/');
  const own = answers.get(source);
  if (own === undefined) return undefined;
  if (listing === 'Players' && player === undefined) {
    return own.players === 'failed' ? { status: 400, body: '{}' } : { body: bodyOf(own.players) };
  }
  if (child !== 'Screens') return { body: '[]' };
  const screens = own.screens.get(decodeURIComponent(player ?? ''));
  if (screens === undefined) return { body: '[]' };
  return typeof screens === 'string' ? { status: STATUS[screens], body: '{}' } : { body: bodyOf(screens) };
}

function bodyOf(records: ReadonlyMap<string, ApiRecord>): string {
  const texts = [...records.values()].map(
    (record) =>
      `{${Object.entries(record)
        .map(([key, token]) => `${JSON.stringify(key)}:${token}`)
        .join(',')}}`,
  );
  return `[${texts.join(',')}]`;
}
