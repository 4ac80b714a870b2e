import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { duckdbType } from '#lib/column-types.ts';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { type Head, readRunHead } from '#lib/lake/head.ts';
import { lakePrefix, listKeys, parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { type NamedFiles, tableKeys } from '#lib/lake/named-files.ts';
import type { RepairServices } from '#lib/repair/run-again.ts';
import { attemptName } from '#lib/run-id.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { thisProcess } from '#lib/runtime/holder.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { EMPTY_SCHEMA, type Schema } from '#lib/schema/schema.ts';
import { type FixtureAnswer, startFixtureServer } from '#simulator/fixture-server.ts';
import { routesBy } from '../support/fixture-lab.ts';
import { MEMORY, temporaryFolder } from '../support/lake-children.ts';
import { answerTo, withUrl } from './answer-world.ts';
import { type Death, dyingLake } from './dying-lake.ts';
import { memoryLake } from './memory-lake.ts';
import { type Files, knownOf, type Row, readFiles } from './read-world.ts';
import type { Answered } from './reference-lake.ts';

/** Children are cut into several units. */
const UNIT_BYTES = 3000;

/** A lake and the APIs that fill it, in one process. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export type StepServices = ApiServices & RepairServices;

/** A world with nothing in it. */
export async function openWorld(now: Date) {
  /** What each source answers now, by its name. */
  const answers = new Map<string, Answered>();
  /** What else the answers of a source have, by its name. @default a Date of the real time */
  const said = new Map<string, () => Partial<FixtureAnswer>>();
  const server = await startFixtureServer({
    routes: routesBy((path) => {
      const answer = answerTo(answers, path);
      return answer && { ...answer, ...said.get(path.split('/')[1] ?? '')?.() };
    }),
  });
  const folder = await temporaryFolder(MEMORY);
  const stored = memoryLake(folder.path);
  const decided = new Map<string, Schema>();
  const lake: Lake = {
    ...stored,
    write: async (key, bytes, condition) => {
      const parsed = parseKey(key);
      if (parsed?.kind === 'schema')
        decided.set(parsed.runId, JSON.parse(Buffer.from(bytes).toString('utf8')));
      return await stored.write(key, bytes, condition);
    },
  };
  const shared = sharedDuckDb({ ...localServices(lake), threads: 1 });
  const known = knownOf(lake);
  // A file never changes.
  const read = new Map<string, Files>();
  let reader: Promise<DuckDb> | undefined;
  const readOnce = async (keys: readonly string[]): Promise<Files> => {
    const name = keys.join(' ');
    reader ??= shared.connect();
    const own = read.get(name) ?? (await readFiles(await reader, await lake.localPaths(keys)));
    read.set(name, own);
    return own;
  };
  const world = {
    lake,
    answers,
    said,
    now,
    /** The key of masks. */
    maskKey: 'a key of masks',
    config: (settings: object) =>
      parseConfig(JSON.stringify(withUrl(settings, server.url)), 'model.config.json'),
    /** A step of the product, by a process that may die; gives whether it did. */
    step: async (
      death: Death | undefined,
      step: (services: StepServices) => Promise<unknown>,
    ): Promise<'done' | 'killed'> => {
      const dying = dyingLake(lake, death);
      const secrets = { readKey: async () => world.maskKey, read: async () => ({ apiKey: 'model-key' }) };
      const local = { ...localServices(dying), now: () => world.now, unitBytes: UNIT_BYTES };
      await using api = localApiServices(local, secrets, () => 0);
      // A process that died holds nothing any more.
      const holder = { holder: thisProcess(), holderHasEnded: async () => true };
      const services = { ...api, ...holder, duckDb: shared, config: undefined as unknown as Config };
      try {
        await step(services);
        return 'done';
      } catch (error) {
        if (dying.hasDied()) return 'killed';
        throw error;
      }
    },
    head: known.head,
    schema: async (): Promise<Schema> => {
      const head = await known.head();
      return head === undefined ? EMPTY_SCHEMA : await known.schema(head.schema);
    },
    /** As a run's newest attempt decided it; the run itself may be forgotten since. */
    schemaOf: (runId: string) => {
      const schema = decided.get(runId);
      if (schema === undefined) throw new Error(`nothing decided a schema of run ${runId}`);
      return schema;
    },
    /** Rows of a date of a table as text; without a date, of the newest. */
    rows: async (table: string, date?: string): Promise<readonly Row[]> => {
      const head = await known.head();
      const of = head?.tables[table];
      const files = date === undefined ? of?.newest : of?.dates[date] && { date, ...of.dates[date] };
      if (head === undefined || files === undefined || files.parts.length === 0) return [];
      const own = await readOnce(tableKeys(table, files));
      if (own.checkedBy === head.schema) return own.rows;
      own.checkedBy = head.schema;
      for (const { name: column, type } of (await world.schema()).tables[table]?.columns ?? []) {
        const is = own.columns.get(column);
        // Parquet has one form of moments, whatever DuckDB calls it.
        if (is !== undefined && duckdbType(type).replace('_MS', '') !== is)
          throw new Error(`${table}.${column} is ${is} and not ${duckdbType(type)}`);
      }
      return own.rows;
    },
    /** Rows of these files of a table and date, whether a head names them or not. */
    rowsIn: async (files: NamedFiles) =>
      files.parts.length === 0 ? [] : (await readOnce(tableKeys(files.table, files))).rows,
    /** The heads of earlier commits, which a rollback may commit again. */
    heads: async () => {
      const heads: Head[] = [];
      for await (const { runId } of listKeys(lake, 'runHead')) {
        const head = await readRunHead(lake, runId);
        if (head !== undefined) heads.push(head);
      }
      return heads;
    },
    /** RUN SOURCE TABLE of the raw answers that are kept. */
    keptRaw: async () => {
      const kept = new Set<string>();
      for await (const { key } of lake.list(lakePrefix('raw', {}))) {
        const parsed = known.key(key);
        if (parsed?.kind === 'raw') kept.add(`${parsed.runId} ${parsed.source} ${parsed.resource}`);
      }
      return kept;
    },
    /** Every object of the lake, by its key. */
    objects: async () => {
      const objects = new Map<string, string>();
      for await (const { key } of lake.list('')) objects.set(key, (await lake.read(key))?.etag ?? '');
      return objects;
    },
    /** Removes all below the key. */
    lose: async (prefix: string) => {
      for await (const { key } of lake.list(prefix)) {
        await lake.remove([key]);
        for (const name of read.keys()) if (name.split(' ').includes(key)) read.delete(name);
      }
    },
    tableFiles: async () => {
      const files: { table: string; date: string; run: string }[] = [];
      for await (const { key } of lake.list('tables/')) {
        const parsed = known.key(key);
        if (parsed?.kind === 'table')
          files.push({ table: parsed.table, date: parsed.exportDate, run: attemptName(parsed) });
      }
      return files;
    },
    [Symbol.asyncDispose]: async () => {
      (await reader)?.[Symbol.dispose]();
      await shared[Symbol.asyncDispose]();
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
  return world;
}
