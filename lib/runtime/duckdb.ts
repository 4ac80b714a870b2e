import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { ExportError, UsageError } from '../errors.ts';
import { quoteLiteral } from '../sql.ts';
import { trimEnd } from '../text.ts';
import { NoTable, withDuckDb } from './duckdb-errors.ts';
import { queryStopped } from './query-stopped.ts';

export interface DuckDbOptions {
  /** DuckDB may read and write only these folders. */
  readonly folders: readonly string[];
  /** Where it spills what does not fit into memory: one of the folders, or below one. */
  readonly spillTo: string;
  readonly memoryLimitMiB: number;
  readonly threads: number;
  /**
   * MiB that it may spill; a statement that needs more fails because of its values. Without a limit it may
   * fill the whole disk, which is LAKE_FULL.
   */
  readonly spillLimitMiB?: number | undefined;
  /** Statements that make the macros for its SQL. @default none */
  readonly macros?: readonly string[];
}

export type Row = Readonly<Record<string, DuckDBValue>>;

/** The answer to a query. A cell is what JSON can hold; a number beyond a double's precision is text. */
export interface QueryResult {
  /** All names differ, because rows become objects: the second column `NAME` is `NAME:1`. */
  readonly columns: readonly string[];
  /** DuckDB's names of the types. */
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface DuckDb extends Disposable {
  /** Runs a statement. Returns how many rows it wrote (COPY, CREATE TABLE AS). */
  run(sql: string): Promise<number>;
  /** All rows of a query, in DuckDB's own values: bigint stays bigint. */
  rows(sql: string): Promise<readonly Row[]>;
  /**
   * Runs one SELECT that a person wrote. Throws UsageError where it is another statement, or is wrong. Throws
   * QUERY_STOPPED where it takes longer than the limit.
   */
  ask(sql: string, limitSeconds?: number): Promise<QueryResult>;
  /** Another connection, for work at the same time. It sees the tables of this one, except TEMP ones. */
  beside(): Promise<DuckDb>;
}

/**
 * One DuckDB with several connections, which share its memory limit and threads. Each has its own TEMP
 * tables.
 */
export interface DuckDbInstance extends Disposable {
  connect(): Promise<DuckDb>;
}

/** A DuckDB with one connection, which closes it. */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDb> {
  const instance = await createDuckDb(options);
  const db = await instance.connect();
  return {
    ...db,
    [Symbol.dispose]: () => {
      db[Symbol.dispose]();
      instance[Symbol.dispose]();
    },
  };
}

/** The driver takes 20 ms to load, so it loads while a run waits for its first answers. */
const loadDriver = async () => (await import('@duckdb/node-api')).default;

/**
 * A DuckDB in memory that is locked in. Column names, paths and values come from a foreign server. So it
 * reaches no extension, no network and no file outside the folders. No statement can change that.
 */
export async function createDuckDb(options: DuckDbOptions): Promise<DuckDbInstance> {
  const { DuckDBInstance } = await loadDriver();
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryLimitMiB}MiB`,
    threads: String(options.threads),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false',
    // Each file is read once, so a cache of files would only fill the memory limit.
    enable_external_file_cache: 'false',
  });
  const connection = await instance.connect();
  const { spillLimitMiB } = options;
  const settings = [
    `set temp_directory = ${quoteLiteral(options.spillTo)}`,
    ...(spillLimitMiB === undefined ? [] : [`set max_temp_directory_size = '${spillLimitMiB}MiB'`]),
    `set allowed_directories = [${options.folders.map(quoteLiteral).join(', ')}]`,
    "set global TimeZone = 'UTC'",
    'set enable_external_access = false',
    'set lock_configuration = true',
    ...(options.macros ?? []),
  ];
  await withDuckDb(() => connection.run(settings.join(';\n')));
  connection.closeSync();
  const isSpillBounded = spillLimitMiB !== undefined;
  return {
    connect: () => connect(instance, isSpillBounded),
    [Symbol.dispose]: () => instance.closeSync(),
  };
}

async function connect(instance: DuckDBInstance, isSpillBounded: boolean): Promise<DuckDb> {
  const connection = await instance.connect();
  return {
    run: (sql) => withDuckDb(async () => await rowsWritten(connection, sql), { isSpillBounded }),
    rows: (sql) => withDuckDb(() => rowsOf(connection, sql), { isSpillBounded }),
    ask: (sql, limitSeconds) => within(connection, limitSeconds, () => ask(connection, sql)),
    beside: () => connect(instance, isSpillBounded),
    [Symbol.dispose]: () => connection.closeSync(),
  };
}

/** The driver's own count of changed rows is 0 after CREATE TABLE AS. */
async function rowsWritten(connection: DuckDBConnection, sql: string): Promise<number> {
  const [row] = await (await connection.run(sql)).getRows();
  return Number(row?.[0] ?? 0);
}

/** The driver's own row objects lose a column with the name `__proto__`. */
async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly Row[]> {
  const answer = await connection.runAndReadAll(sql);
  const names = answer.deduplicatedColumnNames();
  return answer
    .getRows()
    .map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
}

/** Runs a query, and stops it after the limit. */
async function within<Result>(
  connection: DuckDBConnection,
  limitSeconds: number | undefined,
  query: () => Promise<Result>,
): Promise<Result> {
  if (limitSeconds === undefined) return await query();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    connection.interrupt();
  }, limitSeconds * 1000);
  try {
    return await query();
  } catch (error) {
    throw isOver ? queryStopped(limitSeconds, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(connection: DuckDBConnection, sql: string): Promise<QueryResult> {
  try {
    return await withDuckDb(async () => {
      const { StatementType } = await loadDriver();
      const statements = await connection.extractStatements(sql);
      const prepared = await statements.prepare(0);
      if (statements.count !== 1 || prepared.statementType !== StatementType.SELECT)
        throw new Error(ONLY_SELECT);
      const answer = await prepared.runAndReadAll();
      return {
        columns: answer.deduplicatedColumnNames(),
        types: answer.columnTypes().map(String),
        rows: answer
          .getRowsJson()
          .map((row) => row.map((cell, index) => plainCell(cell, String(answer.columnType(index))))),
      };
    });
  } catch (error) {
    if (error instanceof ExportError || error instanceof NoTable) throw error;
    // The driver's own words in front of DuckDB's do not help.
    const says = (error instanceof Error ? error.message : String(error)).replace(
      /^Failed to \w+ statements?: /,
      '',
    );
    throw new UsageError(says, 'QUERY_INVALID', error);
  }
}

const ONLY_SELECT = 'Only one SELECT at a time: the tables of a lake change by runs alone.';

/** The driver returns some numbers as text. This turns those that a double can hold into numbers again. */
function plainCell(cell: unknown, type: string): unknown {
  if (typeof cell !== 'string') return cell;
  if (/^TIMESTAMP/.test(type)) return `${cell.replace(' ', 'T').replace(/\+00$/, '')}Z`;
  if (/^DECIMAL/.test(type)) return exact(cell.includes('.') ? trimEnd(trimEnd(cell, '0'), '.') : cell);
  return /^U?(BIG|HUGE)INT$/.test(type) ? exact(cell) : cell;
}

function exact(digits: string): number | string {
  const number = Number(digits);
  return String(number) === digits ? number : digits;
}
