import { ExportError } from '../errors.ts';
import { damagedFile } from '../lake/damaged-file.ts';
import { folderError } from '../lake/folder/folder-errors.ts';

/** DuckDB's words before and after the path of a damaged file. */
const DAMAGED = [
  ["No magic bytes found at end of file '", "'"],
  ["File '", "' too small to be a Parquet file"],
  ['Failed to read file "', '"'],
  ['No files found that match the pattern "', '"'],
] as const;
/** DuckDB's words for a bug of its own. One of its window functions (issue 25713) appears at random. */
const ENGINE = /^(INTERNAL|FATAL) Error: /;
/** The spill has reached its limit: the configured one, or by default nine tenths of the free disk. */
const SPILLED = /failed to offload data block/i;
const FULL = 'ENOSPC';
const NO_TABLE = /Table with name "?([^\s"]{1,200})"? does not exist/;

/** What the system refuses, in DuckDB's words → the system's own code. */
const REFUSALS = [
  { words: /No space left on device|File too large|Disk quota exceeded/i, system: FULL },
  { words: /Too many open files/, system: 'EMFILE' },
  { words: /Read-only file system/, system: 'EROFS' },
  { words: /Permission denied/, system: 'EACCES' },
];
/** DuckDB seldom names the file that the system refuses. */
const A_FILE = 'a file of the tables';

/** A query names a table that does not exist. The message is DuckDB's. */
export class NoTable extends Error {
  /** As the query names it, without the schema `main`. */
  readonly table: string;

  constructor(table: string, cause: Error) {
    super(cause.message, { cause });
    this.name = cause.name;
    this.table = table;
  }
}

/** A statement failed because of its values, or memory or spill is full. The message is DuckDB's. */
export class StatementFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = cause.name;
  }
}

/**
 * Replaces an error of DuckDB. It is an ExportError if a file, a disk or DuckDB itself is at fault. For an
 * unknown table it is NoTable, else StatementFailed. An IO error, or what is not an Error, stays.
 */
function duckDbError(cause: unknown, { isSpillBounded }: DuckDbFaults): unknown {
  if (!(cause instanceof Error) || cause instanceof ExportError) return cause;
  const path = DAMAGED.map((around) => between(cause.message, around)).find((found) => found !== undefined);
  if (path !== undefined) return damagedFile(path, cause);
  const isSpilled = !isSpillBounded && SPILLED.test(cause.message);
  const code = isSpilled ? FULL : REFUSALS.find(({ words }) => words.test(cause.message))?.system;
  if (code !== undefined)
    return folderError(Object.assign(new Error(cause.message, { cause }), { code }), A_FILE);
  if (ENGINE.test(cause.message)) {
    const [says = ''] = cause.message.split('\n');
    return new ExportError({
      code: 'ENGINE_INTERNAL',
      message: `DuckDB failed by a fault of its own: ${says} Start the same command again; what was committed is unharmed.`,
      cause,
    });
  }
  const table = NO_TABLE.exec(cause.message)?.[1];
  if (table !== undefined) return new NoTable(table.replace(/^main\./, ''), cause);
  return cause.message.startsWith('IO Error') ? cause : new StatementFailed(cause);
}

interface DuckDbFaults {
  /** True where the spill has its own limit, so a full spill is not a full disk. */
  readonly isSpillBounded: boolean;
}

/** Runs a step of DuckDB, and again where DuckDB is at fault. Throws the errors of `duckDbError`. */
export async function withDuckDb<Result>(
  step: () => Promise<Result>,
  faults: DuckDbFaults = { isSpillBounded: false },
): Promise<Result> {
  const guarded = async () => {
    try {
      return await step();
    } catch (error) {
      throw duckDbError(error, faults);
    }
  };
  try {
    return await guarded();
  } catch (error) {
    if (error instanceof ExportError && error.code === 'ENGINE_INTERNAL') return await guarded();
    throw error;
  }
}

/** The text between two others; undefined unless both are there. */
function between(text: string, [before, behind]: readonly [string, string]): string | undefined {
  const from = text.indexOf(before);
  const to = from === -1 ? -1 : text.indexOf(behind, from + before.length);
  return to === -1 ? undefined : text.slice(from + before.length, to);
}
