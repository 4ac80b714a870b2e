import { forgetAttempt } from '../commit/forget-attempt.ts';
import { nextHead } from '../commit/next-head.ts';
import { UsageError } from '../errors.ts';
import { committedHead, type Head, readPreviousHead, writeHeadAt } from '../lake/head.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { missingFiles, neededFiles } from '../lake/named-files.ts';
import { plan } from '../plan/plan.ts';
import { publish } from '../publish/publish.ts';
import { hasRaw, storedRaw } from '../run/raw-of-run.ts';
import { type RunRecord, readRunRecordIfAny, writeRunRecord } from '../run/run-record.ts';
import { isUncollected, readSummaryIfAny } from '../run/summary.ts';
import { attemptName } from '../run-id.ts';
import { commitAgain, type RepairServices, runAgain } from './run-again.ts';

/** The head after one run of the rebuild; only the last one is committed. */
type Made = Omit<Head, 'released'>;

/**
 * Plans and publishes every run from that date on again, from its raw answers. Each run is based on the one before. One
 * commit at the end shows all of it. Throws UsageError REBUILD_IMPOSSIBLE if raw answers or a needed file are missing.
 */
export async function rebuild(from: string, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const { head, runs, base, records } = await rebuildOf(from, lake);
  return await commitAgain({ runId: head.runId, head }, services, async (taken) => {
    const made: Made[] = [];
    let baseHead = base === undefined ? null : (runs[0]?.base ?? lakeKey('runHead', { runId: base.runId }));
    for (const record of records) {
      const again = runAgain({ record, taken, baseHead }, services);
      made.push(await runAnew(again, services));
      baseHead = lakeKey('attemptHead', again);
    }
    // The head names the last run's files of a date. Those of earlier runs go later.
    const next = made.at(-1);
    if (next === undefined) throw new Error('a rebuild has at least one run');
    return { next, unnamed: [attemptName(next)] };
  });
}

/** The committed head, and the runs that a rebuild makes again. Throws UsageError REBUILD_IMPOSSIBLE. */
export async function rebuildOf(from: string, lake: Lake) {
  const { head } = await committedHead(lake);
  const since = await runsSince(lake, { head, from });
  const records: RunRecord[] = [];
  for (const run of since.runs) {
    const record = await rebuildable(lake, run);
    if (record === undefined)
      throw impossible(
        `the raw answers of run ${run.runId} were removed (rawRetentionDays); name a later date`,
      );
    records.push(record);
  }
  return { head, ...since, records };
}

/** Plans and publishes a run from its raw answers, and returns the head after it. */
async function runAnew(record: RunRecord, services: RepairServices): Promise<Made> {
  const { lake } = services;
  await writeRunRecord(lake, record);
  const attempt = { runId: record.runId, attempt: record.attempt };
  const { units, ledger } = await plan(attempt, services);
  for (const unit of [...units, ledger]) await publish({ ...attempt, unit }, services);
  const made = await nextHead(lake, { record, committedAt: services.now() });
  await writeHeadAt(lake, lakeKey('attemptHead', attempt), { ...made, released: [] });
  await forgetAttempt(lake, attempt);
  const raw = await storedRaw(lake, { runId: record.runId });
  await lake.copies?.drop(raw.flatMap(({ keys }) => keys));
  return made;
}

/** The runs, oldest first, and the head that the first of them is based on. */
async function runsSince(lake: Lake, { head, from }: { readonly head: Head; readonly from: string }) {
  const runs: Head[] = [];
  let each: Head | undefined = head;
  while (each !== undefined && each.exportDate >= from) {
    runs.unshift(each);
    if (each.previous === null) return { runs, base: undefined };
    const previous: Head | undefined = await readPreviousHead(lake, each);
    if (previous === undefined) throw impossible(`the commit of run ${each.previous} is gone`);
    each = previous;
  }
  if (each === undefined || runs.length === 0) throw impossible(`no run is committed from ${from} on`);
  // The files of earlier dates that the runs to rebuild had replaced.
  const replaced = neededFiles(each, head).filter(({ date }) => date < from);
  const [missing] = await missingFiles(lake, replaced);
  if (missing !== undefined) throw impossible(`${missing}, which a later commit replaced, was removed since`);
  return { runs, base: each };
}

/**
 * The record of a committed run with its raw answers, or of one that never stored any: list died in each try,
 * or its sources were purged since. Undefined if answers that it had are missing.
 */
export async function rebuildable(lake: Lake, run: Head): Promise<RunRecord | undefined> {
  const record = await readRunRecordIfAny(lake, run.runId);
  if (record === undefined) return undefined;
  if (await hasRaw(lake, { runId: run.runId })) return record;
  // A lost summary, or one that `recover` made, does not say whether any source had answers.
  const { sources = [] } = (await readSummaryIfAny(lake, run)) ?? {};
  if (sources.length === 0 && record.selected.length > 0) return undefined;
  const isGone = sources.some((each) => record.selected.includes(each.name) && !isUncollected(each));
  return isGone ? undefined : record;
}

function impossible(why: string): UsageError {
  return new UsageError(`Nothing is rebuilt: ${why}.`, 'REBUILD_IMPOSSIBLE');
}
