import { ExportError } from '../errors.ts';
import { damagedFile } from '../lake/damaged-file.ts';
import { OPEN_FILES } from '../lake/folder/folder-errors.ts';

/** What DuckDB says before and behind the path of a file that is not whole. */
const DAMAGED = [
  ["No magic bytes found at end of file '", "'"],
  ["File '", "' too small to be a Parquet file"],
  ['Failed to read file "', '"'],
  ['No files found that match the pattern "', '"'],
] as const;
/** DuckDB's words for a fault of its own. Its window functions have one that comes at random (its issue 25713). */
const ENGINE = /^(INTERNAL|FATAL) Error: /;
const FULL = /No space left on device|File too large|Disk quota exceeded/i;
/** What is spilled has reached its bound: the one that it was given, or by default nine tenths of the free disk. */
const SPILLED = /failed to offload data block/i;
const NO_TABLE = /Table with name "?([^\s"]{1,200})"? does not exist/;
const REFUSED = /Permission denied/;
const READ_ONLY = /Read-only file system/;
const NO_MORE_FILES = /Too many open files/;

/** A query asks a table that is not there. The message is DuckDB's. */
export class NoTable extends Error {
  /** As the query names it, without the schema `main`. */
  readonly table: string;

  constructor(table: string, cause: Error) {
    super(cause.message, { cause });
    this.name = cause.name;
    this.table = table;
  }
}

/**
 * DuckDB could not do a statement with the values that it met, or had no room for them in memory and in what it may
 * spill. The message is DuckDB's.
 */
export class StatementFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = cause.name;
  }
}

/**
 * The error to throw in place of one of DuckDB's: an ExportError where a file, a disk or DuckDB itself is at fault, NoTable
 * where a query asks a table that is not there, else StatementFailed; what is no Error, or IO, stays as it is.
 */
function duckDbError(cause: unknown, { isSpillBounded }: DuckDbFaults): unknown {
  if (!(cause instanceof Error) || cause instanceof ExportError) return cause;
  const path = DAMAGED.map((around) => between(cause.message, around)).find((found) => found !== undefined);
  if (path !== undefined) return damagedFile(path, cause);
  if (FULL.test(cause.message) || (!isSpillBounded && SPILLED.test(cause.message))) {
    return new ExportError({
      code: 'LAKE_FULL',
      message:
        'No space is left where tables are made. Free some on that disk; what was committed is unharmed.',
      cause,
    });
  }
  if (NO_MORE_FILES.test(cause.message)) {
    return new ExportError({
      code: 'SYSTEM_REFUSED',
      message: `DuckDB opened no further file: ${OPEN_FILES}.`,
      cause,
    });
  }
  if (READ_ONLY.test(cause.message)) {
    return new ExportError({
      code: 'LAKE_NOT_WRITABLE',
      message:
        'The disk of the lake takes no writes: it is mounted read-only. Mount it for writing and start the same run again; what was committed is unharmed.',
      cause,
    });
  }
  if (REFUSED.test(cause.message)) {
    return new ExportError({
      code: 'LAKE_NOT_WRITABLE',
      message:
        'No permission to read or write the files of the lake. Give this user both; what was committed is unharmed.',
      cause,
    });
  }
  if (ENGINE.test(cause.message)) {
    const [says = ''] = cause.message.split('\n');
    return new ExportError({
      code: 'ENGINE_INTERNAL',
      message: `DuckDB failed by a fault of its own: ${says} Do the same again; what was committed is unharmed.`,
      cause,
    });
  }
  const table = NO_TABLE.exec(cause.message)?.[1];
  if (table !== undefined) return new NoTable(table.replace(/^main\./, ''), cause);
  return cause.message.startsWith('IO Error') ? cause : new StatementFailed(cause);
}

export interface DuckDbFaults {
  /** What is spilled has a bound of its own: who reaches it has filled no disk. */
  readonly isSpillBounded: boolean;
}

/** Does a step of DuckDB's, and once more where DuckDB itself is at fault. Throws what `duckDbError` makes of its error. */
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

/** The words between two others; undefined where both are not there. */
function between(text: string, [before, behind]: readonly [string, string]): string | undefined {
  const from = text.indexOf(before);
  const to = from === -1 ? -1 : text.indexOf(behind, from + before.length);
  return to === -1 ? undefined : text.slice(from + before.length, to);
}
