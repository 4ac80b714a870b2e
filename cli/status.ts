import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '#lib/config/config.ts';
import { DamagedTable } from '#lib/lake/damaged-file.ts';
import { type Head, readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { readLease } from '#lib/lake/lease.ts';
import { whyOlder } from '#lib/lake/newer-head.ts';
import { readLastVerified } from '#lib/repair/verify.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { readSummary } from '#lib/run/summary.ts';
import type { Services } from '#lib/runtime/services.ts';
import { hasDatabaseOf } from '#lib/views/leave-database.ts';
import {
  type BrokenTable,
  brokenTable,
  openTables,
  quarterBefore,
  type Tables,
} from '#lib/views/open-tables.ts';
import { configIfAny } from './config-now.ts';
import { describeStatus, type Status } from './describe-status.ts';
import { holderHasEnded } from './local-holder.ts';
import { existingLake, localServices } from './local-services.ts';
import { commandOf, ofStack } from './options.ts';
import { say, show } from './say.ts';

/** How many runs status shows. */
const LAST_RUNS = 7;

/** `status`: what is committed, how fresh it is, what is running, what can be restored and what to do next. */
export function addStatus(command: Command): void {
  const deployed = ofStack('show the lake of the deployed stack');
  commandOf(command, { deployed }, async (options) => {
    const configured = await configIfAny(options.config);
    const status = await statusOf(options.lake, configured);
    if (options.json) say(status);
    else show(describeStatus(status, { ...options, configured, now: new Date() }).join('\n'));
  });
}

/** The status of a lake before its first commit says this. */
const NOTHING = {
  ...{ committed: null, committedAt: null, older: null, back: null, verified: null },
  ...{ freshness: [], runs: [], days: [], drift: [], leftOut: [], broken: [], isDatabaseOld: false },
};

/** What `status` says about a lake. */
export async function statusOf(name: string, config: Config | undefined): Promise<Status> {
  const lake = await existingLake(name);
  const services = localServices(lake);
  const stored = await readHead(lake);
  const lease = await readLease(lake);
  const isTaken = lease !== undefined && !lease.released;
  const isByHand =
    stored !== undefined && lease?.runId === stored.head.runId && lease.attempt > stored.head.attempt;
  const running = isTaken ? { ...lease, isByHand, hasEnded: await holderHasEnded(lease.holder) } : null;
  if (stored === undefined) return { ...NOTHING, running };
  const { head } = stored;
  // Remote files are fetched first, and years of days would take minutes.
  const few = { since: quarterBefore(head.exportDate), healthAlone: true };
  const [tables, back, older, verified] = await Promise.all([
    openTables(lake, name.startsWith('s3://') ? few : {}),
    wayBack(head, { ...services, config }),
    whyOlder(lake, stored),
    readLastVerified(lake),
  ]);
  using _ = tables;
  const broken = [...tables.broken];
  const health = await known(broken, 'export_health', () => healthOf(tables));
  return {
    committed: await readSummary(lake, head),
    committedAt: head.committedAt,
    older: older ?? null,
    freshness: health.map(({ source, observedAt, isOfNewestRun }) => ({ source, observedAt, isOfNewestRun })),
    running,
    runs: await known(broken, 'runs', () => lastRuns(tables)),
    days: Object.keys(head.tables.runs?.dates ?? {}).sort(),
    back,
    drift: health.map(({ source, newColumns, misfits }) => ({ source, newColumns, misfits })),
    verified: verified ?? null,
    leftOut: tables.leftOut,
    isDatabaseOld: !name.startsWith('s3://') && (await isDatabaseOld(head, services)),
    broken,
  };
}

/** True if `lake.duckdb` is there and of another commit. */
async function isDatabaseOld(head: Head, services: Services): Promise<boolean> {
  const [path = ''] = await services.lake.localPaths([lakeKey('database')]);
  return existsSync(path) && !(await hasDatabaseOf(head, services));
}

/** The rows of a step. If a file of its table is damaged, it returns none and adds the table to `broken`. */
async function known<Row>(
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

/** Newest first. */
async function lastRuns(tables: Tables): Promise<Status['runs']> {
  const { rows } = await tables.query(`
    with latest as (
      select distinct export_run_id from runs order by export_run_id desc limit ${LAST_RUNS}
    )
    select export_run_id, export_source, status, coverage, listed, denied, failed, error_code
    from runs
    semi join latest using (export_run_id)
    order by export_run_id desc, export_source`);
  return rows.map(([runId, source, status, coverage, listed, denied, failed, errorCode]) => ({
    runId: String(runId),
    source: String(source),
    status: String(status),
    coverage: Number(coverage),
    listed: Number(listed),
    denied: Number(denied),
    failed: Number(failed),
    errorCode: errorCode === null ? null : String(errorCode),
  }));
}

/** One entry for each source: how fresh it is, and what changed with its newest run. */
async function healthOf(
  tables: Tables,
): Promise<readonly (Status['freshness'][number] & Status['drift'][number])[]> {
  const { rows } = await tables.query(`
    select export_source, observed_at, ok + "empty" + gone > 0, new_columns, misfits
    from export_health
    order by export_source`);
  return rows.map(([source, observedAt, isOfNewestRun, newColumns, misfits]) => ({
    source: String(source),
    observedAt: observedAt === null ? null : String(observedAt),
    isOfNewestRun: isOfNewestRun === true,
    newColumns: Number(newColumns),
    misfits: Number(misfits),
  }));
}
