import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { ExportError, UsageError } from '../errors.ts';
import { quoteLiteral } from '../sql.ts';
import { trimEnd } from '../text.ts';
import { NoTable, withDuckDb } from './duckdb-errors.ts';
import { queryStopped } from './query-stopped.ts';

export interface DuckDbOptions {
  /** The only folders that it may read and write. */
  readonly folders: readonly string[];
  /** Where it spills what does not fit into memory; one of the folders, or below one. */
  readonly spillTo: string;
  readonly memoryLimitMiB: number;
  readonly threads: number;
  /**
   * MiB that it may spill; what needs more is a statement that failed, by its values. Without it the whole disk may be
   * filled, and that is LAKE_FULL.
   */
  readonly spillLimitMiB?: number | undefined;
  /** Statements that make the macros which its SQL calls. @default none */
  readonly macros?: readonly string[];
}

export type Row = Readonly<Record<string, DuckDBValue>>;

/** The answer to a query. A cell is what JSON can hold; a number that a double cannot hold exactly is text. */
export interface QueryResult {
  /** Each another one: of two that have a name the later is `NAME:1`, for rows become objects. */
  readonly columns: readonly string[];
  /** DuckDB's names of the types. */
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface DuckDb extends Disposable {
  /** Runs a statement. That which writes (COPY, CREATE TABLE AS) answers how many rows it wrote. */
  run(sql: string): Promise<number>;
  /** All rows of a query, in DuckDB's own values: bigint stays bigint. */
  rows(sql: string): Promise<readonly Row[]>;
  /**
   * Runs a query that a person wrote: one SELECT. Throws UsageError where it is another statement, or is wrong, and
   * QUERY_STOPPED where it takes longer than the limit.
   */
  ask(sql: string, limitSeconds?: number): Promise<QueryResult>;
  /** Another connection, for work that goes on at the same time: it sees the tables of this one that are not TEMP. */
  beside(): Promise<DuckDb>;
}

/**
 * One DuckDB with several connections. They share its memory limit and its threads. A TEMP table belongs to one
 * connection.
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

/** It takes 20 ms to load, while a run asks for its first answers. */
const loadDriver = async () => (await import('@duckdb/node-api')).default;

/**
 * A DuckDB in memory that is shut in. Column names, paths and values come from a foreign server. So it reaches no file
 * outside the given folders, no extension and no network, and no statement can change that.
 */
export async function createDuckDb(options: DuckDbOptions): Promise<DuckDbInstance> {
  const { DuckDBInstance } = await loadDriver();
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryLimitMiB}MiB`,
    threads: String(options.threads),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false',
    // Each file is read once. A cache of files would fill the memory limit for nothing.
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

/** The driver's own row objects lose a column that is called `__proto__`. */
async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly Row[]> {
  const answer = await connection.runAndReadAll(sql);
  const names = answer.deduplicatedColumnNames();
  return answer
    .getRows()
    .map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
}

/** Does a query, and ends it where it takes longer. */
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
          .map((row) => row.map((cell, index) => plain(cell, String(answer.columnType(index))))),
      };
    });
  } catch (error) {
    if (error instanceof ExportError || error instanceof NoTable) throw error;
    // The driver's own words before those of DuckDB help nobody.
    const says = (error instanceof Error ? error.message : String(error)).replace(
      /^Failed to \w+ statements?: /,
      '',
    );
    throw new UsageError(says, 'QUERY_INVALID', error);
  }
}

const ONLY_SELECT = 'Only one SELECT at a time: the tables of a lake change by runs alone.';

/**
 * The driver gives some numbers as text, because a double may not hold them. Those that a double holds become numbers
 * again.
 */
function plain(cell: unknown, type: string): unknown {
  if (typeof cell !== 'string') return cell;
  if (/^TIMESTAMP/.test(type)) return `${cell.replace(' ', 'T').replace(/\+00$/, '')}Z`;
  if (/^DECIMAL/.test(type)) return exact(cell.includes('.') ? trimEnd(trimEnd(cell, '0'), '.') : cell);
  return /^U?(BIG|HUGE)INT$/.test(type) ? exact(cell) : cell;
}

function exact(digits: string): number | string {
  const number = Number(digits);
  return String(number) === digits ? number : digits;
}
