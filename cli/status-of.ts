import { existsSync } from 'node:fs';
import type { Config } from '#lib/config/config.ts';
import { oldFrom } from '#lib/config/schedule.ts';
import { DamagedTable } from '#lib/lake/damaged-file.ts';
import { type Head, readHead, type StoredHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { type Lease, readLease } from '#lib/lake/lease.ts';
import { whyOlder } from '#lib/lake/newer-head.ts';
import { readLastVerified } from '#lib/repair/verify.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { readRunRecordIfAny } from '#lib/run/run-record.ts';
import { readSummary } from '#lib/run/summary.ts';
import { runTime } from '#lib/run-id.ts';
import type { Services } from '#lib/runtime/services.ts';
import { hasDatabaseOf } from '#lib/views/leave-database.ts';
import {
  type BrokenTable,
  brokenTable,
  openTables,
  quarterBefore,
  type Tables,
} from '#lib/views/open-tables.ts';
import { existingLake, holderHasEnded, localServices } from './local-services.ts';

const LAST_RUNS = 7;

/** A lake before its first commit has none of this. */
const NOTHING = {
  ...{ committed: null, committedAt: null, older: null, oldFrom: null, back: null, verified: null },
  ...{ freshness: [], runs: [], days: [], drift: [], leftOut: [], broken: [], isDatabaseOld: false },
} as const;

export type CommittedStatus = Awaited<ReturnType<typeof statusOfCommit>>;
/** `isByHand`: the lease is of a command such as repair, on a run that is committed. */
export type Status = (CommittedStatus | typeof NOTHING) & {
  readonly running: (Lease & { readonly hasEnded: boolean; readonly isByHand: boolean }) | null;
};

export async function statusOf(name: string, config: Config | undefined): Promise<Status> {
  const lake = await existingLake(name);
  const stored = await readHead(lake);
  const lease = await readLease(lake);
  const isTaken = lease !== undefined && !lease.released;
  const isByHand =
    stored !== undefined && lease?.runId === stored.head.runId && lease.attempt > stored.head.attempt;
  const running = isTaken ? { ...lease, isByHand, hasEnded: await holderHasEnded(lease.holder) } : null;
  return { ...(stored === undefined ? NOTHING : await statusOfCommit(stored, lake, config)), running };
}

async function statusOfCommit(stored: StoredHead, lake: Lake, config: Config | undefined) {
  const { head } = stored;
  const services = localServices(lake);
  const isRemote = lake.name.startsWith('s3://');
  // Remote files are fetched first, and years of days would take minutes.
  const few = { since: quarterBefore(head.exportDate), healthAlone: true };
  const [tables, back, older, verified] = await Promise.all([
    openTables(lake, isRemote ? few : {}),
    wayBack(head, { ...services, config }),
    whyOlder(lake, stored),
    readLastVerified(lake),
  ]);
  using _ = tables;
  const broken = [...tables.broken];
  const health = await rowsOrBroken(broken, 'export_health', () => healthOf(tables));
  const known = (await readRunRecordIfAny(lake, head.runId))?.config ?? config;
  // A run without any answer has come too.
  const times = [runTime(head.runId).getTime(), ...health.map((each) => Date.parse(each.observedAt ?? ''))];
  const newest = new Date(Math.max(...times.filter((time) => !Number.isNaN(time))));
  return {
    committed: await readSummary(lake, head),
    committedAt: head.committedAt,
    /** Why the head is older than the last commit: a backup or a sync tool has put it back; null if it is the last. */
    older: older ?? null,
    /** When a listing of each source last had an answer (null = never), and whether its newest run got one. */
    freshness: health.map(({ source, observedAt, isOfNewestRun }) => ({ source, observedAt, isOfNewestRun })),
    /** When the run that is due after the newest one, and after all answers, is late; null if none is due. */
    oldFrom: (known && oldFrom(known, newest))?.toISOString() ?? null,
    /** One entry for each run and source, newest first. */
    runs: await rowsOrBroken(broken, 'runs', () => lastRuns(tables)),
    days: Object.keys(head.tables.runs?.dates ?? {}).sort(),
    back,
    /** Columns that no earlier run of a source had, and values that did not fit the type of their column. */
    drift: health.map(({ source, newColumns, misfits }) => ({ source, newColumns, misfits })),
    /** When files were last compared with their sums, how many, and the result; null = never. */
    verified: verified ?? null,
    leftOut: tables.leftOut,
    isDatabaseOld: !isRemote && (await isDatabaseOld(head, services)),
    broken,
  };
}

async function isDatabaseOld(head: Head, services: Services): Promise<boolean> {
  const [path = ''] = await services.lake.localPaths([lakeKey('database')]);
  return existsSync(path) && !(await hasDatabaseOf(head, services));
}

/** The rows of a step. If a file of its table is damaged, it returns none and adds the table to `broken`. */
async function rowsOrBroken<Row>(
  broken: BrokenTable[],
  name: string,
  step: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof DamagedTable)) throw error;
    if (!broken.some(({ message }) => message === error.message)) broken.push(brokenTable(name, error));
    return [];
  }
}

async function lastRuns(tables: Tables) {
  const { rows } = await tables.query(`
    with latest as (
      select distinct export_run_id from runs order by export_run_id desc limit ${LAST_RUNS}
    )
    select export_run_id, export_source, status, error_code, coverage, listed, denied, failed
    from runs
    semi join latest using (export_run_id)
    order by export_run_id desc, export_source`);
  return rows.map(([runId, source, status, errorCode, ...counts]) => {
    const [coverage = 0, listed = 0, denied = 0, failed = 0] = counts.map(Number);
    return {
      ...{ runId: String(runId), source: String(source), status: String(status) },
      ...{ coverage, listed, denied, failed, errorCode: textOrNull(errorCode) },
    };
  });
}

async function healthOf(tables: Tables) {
  const { rows } = await tables.query(`
    select export_source, observed_at, ok + "empty" + gone > 0, new_columns, misfits
    from export_health
    order by export_source`);
  return rows.map(([source, observedAt, isOfNewestRun, newColumns, misfits]) => ({
    ...{ source: String(source), observedAt: textOrNull(observedAt), isOfNewestRun: isOfNewestRun === true },
    ...{ newColumns: Number(newColumns), misfits: Number(misfits) },
  }));
}

const textOrNull = (value: unknown) => (value === null ? null : String(value));
