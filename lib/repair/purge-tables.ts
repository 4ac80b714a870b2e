import type { Head, TableFiles } from '../lake/head.ts';
import { lakeKey } from '../lake/keys.ts';
import { missingFiles } from '../lake/missing-files.ts';
import { type NamedFiles, namedFiles, withFiles } from '../lake/named-files.ts';
import { tableKeys } from '../lake/table-files.ts';
import { writeParquet } from '../publish/write-parquet.ts';
import { keepLease } from '../run/keep-lease.ts';
import { type RunRecord, writeRunRecord } from '../run/run-record.ts';
import { type AttemptName, attemptName, parseAttemptName } from '../run-id.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { tableForm } from '../schema/tables.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { DEADLINE_MS } from '../start/start.ts';
import type { Taken } from '../start/take-attempt.ts';

/** The files of a table and date before and after a purge; they are the same if they had no row of the source. */
export interface Renamed {
  readonly table: string;
  readonly date: string;
  readonly from: AttemptName;
  readonly to: TableFiles;
}

export interface RewriteOptions {
  readonly head: Head;
  readonly taken: Taken;
  /** The record of the head's run; undefined if its state is gone. */
  readonly record: RunRecord | undefined;
  readonly services: Services;
}

/** Writes every file with rows of the source again, without these rows: for the same run, with this attempt. */
export async function rewriteWithout(source: string, options: RewriteOptions): Promise<readonly Renamed[]> {
  const { head, taken, services } = options;
  const { lake } = services;
  const record = await recordFor(options);
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const missing = new Set(await missingFiles(lake, namedFiles(head)));
  const renamed: Renamed[] = [];
  for (const files of namedFiles(head)) {
    const { table, date, run, parts } = files;
    const same = { table, date, from: run, to: { run, parts } };
    // A file that was lost has no rows of anybody.
    const isLost = tableKeys(table, files).some((key) => missing.has(key));
    if (isLost || !(await hasRowsOf(source, { db, services, files }))) {
      renamed.push(same);
      continue;
    }
    if (record !== undefined) await keepLease(record, services);
    const own = { runId: parseAttemptName(run).runId, attempt: taken.attempt };
    for (const part of parts) {
      const [path = ''] = await lake.localPaths(tableKeys(table, { date, run, parts: [part] }));
      const made = `${scratch.path}/${table}-${date}-${part}.parquet`;
      const rows = `select * from ${readParquet([path])} where export_source <> ${quoteLiteral(source)}`;
      await writeParquet({ db, path: made, rows, orderBy: orderOf(table) });
      await lake.moveIn(lakeKey('table', { table, exportDate: date, part, ...own }), made);
    }
    renamed.push({ ...same, to: { run: attemptName(own), parts } });
  }
  return renamed;
}

/** The tables of a head (the committed one or an earlier run's) with the new files in place of the old ones. */
export function renameFiles(head: Head, renamed: readonly Renamed[]): Head['tables'] {
  const there = renamed.filter(({ table, date, from }) => head.tables[table]?.dates[date]?.run === from);
  const files = there.map(({ table, date, to }) => ({ table, date, ...to }));
  return withFiles(head.tables, files, head.exportDate);
}

/** Records which files the attempt writes, so that they are removed if it never commits. */
async function recordFor({ head, taken, record, services }: RewriteOptions): Promise<RunRecord | undefined> {
  if (record === undefined) return undefined;
  const deadline = new Date(services.now().getTime() + DEADLINE_MS).toISOString();
  const written = namedFiles(head).map(({ date, run }) => ({
    run: attemptName({ runId: parseAttemptName(run).runId, attempt: taken.attempt }),
    date,
    at: deadline,
  }));
  const unique = [...new Map(written.map((each) => [`${each.run} ${each.date}`, each])).values()];
  const mine = {
    ...record,
    attempt: taken.attempt,
    deadline,
    baseEtag: taken.base?.etag ?? null,
    leaseRunId: taken.runId,
    abandoned: [...taken.abandoned, ...unique],
  };
  await writeRunRecord(services.lake, mine);
  return mine;
}

async function hasRowsOf(
  source: string,
  options: { readonly db: DuckDb; readonly services: Services; readonly files: NamedFiles },
): Promise<boolean> {
  const { db, services, files } = options;
  if (files.parts.length === 0) return false;
  const paths = await services.lake.localPaths(tableKeys(files.table, files));
  const [row] = await db.rows(
    `select count(*) as rows from ${readParquet(paths)} where export_source = ${quoteLiteral(source)}`,
  );
  return Number(row?.rows ?? 0) > 0;
}

/** The columns by which publish sorts the table. */
function orderOf(table: string): readonly string[] {
  const { columns, onlyDays } = tableForm(table);
  const names = columns.map(({ name }) => name);
  return onlyDays || !names.includes('record_key') ? names : ['export_source', 'record_key'];
}
