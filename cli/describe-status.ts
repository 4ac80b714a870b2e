import type { Lease } from '#lib/lake/lease.ts';
import type { LastVerified } from '#lib/repair/verify.ts';
import type { WayBack } from '#lib/repair/way-back.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { counted, flooredShare } from '#lib/text.ts';
import type { BrokenTable, LeftOut } from '#lib/views/open-tables.ts';
import { verifiedLine, type Where, waysBack } from './describe-ways-back.ts';
import { type Freshness, freshAsOf, sourceLines } from './freshness-lines.ts';
import { nextSteps } from './next-steps.ts';
import { describeRun } from './print-run.ts';
import { nextCommand, nextQuery } from './program-name.ts';
import { RECOVERY, stepsOf } from './recovery.ts';
import { roundedTime } from './rounded.ts';
import { afterAhead, aheadLine, isAhead } from './run-ahead.ts';
import { textTable } from './text-table.ts';

export interface Status {
  /** The newest commit; null before the first. */
  readonly committed: RunSummary | null;
  readonly committedAt: string | null;
  /** Why the head is older than the last commit: a backup or a sync tool has put it back; null if it is the last. */
  readonly older: string | null;
  /** When a listing of each source last had an answer; null = never. */
  readonly freshness: readonly Freshness[];
  /** The lease; null if nobody holds it. */
  readonly running:
    | (Lease & {
        readonly hasEnded: boolean;
        /** True for an operator's command, such as repair: its run is committed and does not continue. */
        readonly isByHand: boolean;
      })
    | null;
  /** One entry for each run and source, newest first. */
  readonly runs: readonly {
    readonly runId: string;
    readonly source: string;
    readonly status: string;
    readonly coverage: number;
    readonly listed: number;
    readonly denied: number;
    readonly failed: number;
    readonly errorCode: string | null;
  }[];
  /** Dates of the daily tables. */
  readonly days: readonly string[];
  readonly back: WayBack | null;
  /** What changed in each source's answers with its newest run. */
  readonly drift: readonly {
    readonly source: string;
    /** Columns that no earlier run had. */
    readonly newColumns: number;
    /** Values that did not fit the type of their column. */
    readonly misfits: number;
  }[];
  /** When files were last compared with their sums, how many, and the result; null = never. */
  readonly verified: LastVerified | null;
  /** Views that the tables cannot answer, and why. */
  readonly leftOut: readonly LeftOut[];
  /** `lake.duckdb` is there, and of another commit: nobody could write it. */
  readonly isDatabaseOld: boolean;
  /** Tables with a damaged or missing file. */
  readonly broken: readonly BrokenTable[];
}

/** A status as lines for an operator: what is committed, what happened, what can be restored, what to do next. */
export function describeStatus(status: Status, where: Where): readonly string[] {
  const { committed, committedAt, days, back } = status;
  const lease = leaseNow(status, where.now);
  if (committed === null || committedAt === null || back === null) {
    const next = afterRun(lease, where) ?? ['Next:', `  ${nextCommand(['run'], where)}`];
    return [...underWay(lease), `${where.lake} has no tables yet.`, '', ...next];
  }
  return [
    ...(status.older === null ? [] : [status.older, '']),
    ...underWay(lease),
    ...brokenLines(status),
    ...(isAhead(committed.runId, where.now) ? [aheadLine(committed.runId, where.now), ''] : []),
    `${freshAsOf(status, where.now)}; ${daysText(days)}.`,
    ...sourceLines(status.freshness, where.now),
    ...describeRun(committed, where),
    '',
    'Last runs:',
    textTable(
      ['run', 'source', 'status', 'coverage', 'listed', 'denied', 'failed', 'first error'],
      status.runs.map((run) => [
        run.runId,
        run.source,
        run.status,
        `${(flooredShare(run.coverage) * 100).toFixed(1)} %`,
        ...[run.listed, run.denied, run.failed].map(String),
        run.errorCode ?? '',
      ]),
      { states: ['status'], whole: ['run'] },
    ),
    ...driftLines(status, where),
    ...leftOutLines(status),
    ...(status.isDatabaseOld
      ? ['', 'lake.duckdb shows an older commit. Write the file again:', `  ${nextCommand(['views'], where)}`]
      : []),
    '',
    ...waysBack(back, where),
    verifiedLine(status.verified, where),
    '',
    ...(afterRun(lease, where) ?? nextStep(status, { back, where })),
  ];
}

/** A killed run in the future cannot continue: a clock was ahead when it began. */
function leaseNow({ running }: Status, now: Date): Status['running'] {
  if (running === null) return null;
  const hasEnded = isOver(running, now);
  return hasEnded && !running.isByHand && isAhead(running.runId, now) ? null : { ...running, hasEnded };
}

/** `2 days from 2026-11-20 to 2026-11-21`. */
function daysText(days: readonly string[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const when = first === last ? `, ${first}` : ` from ${first} to ${last}`;
  return `${counted(days.length, 'day')}${when}`;
}

function brokenLines({ broken }: Status): readonly string[] {
  const tables = Map.groupBy(broken, ({ message }) => message);
  const lines = [...tables].map(([message, of]) => `  ${of.map(({ name }) => name).join(', ')}: ${message}`);
  return lines.length === 0 ? [] : ['Broken tables; all others answer:', ...lines, ''];
}

function driftLines({ drift }: Status, where: Where): readonly string[] {
  const lines = drift
    .filter(({ newColumns, misfits }) => newColumns + misfits > 0)
    .map(
      ({ source, newColumns, misfits }) =>
        `  ${source}: new columns ${newColumns}, values that do not fit their column ${misfits}`,
    );
  return lines.length === 0
    ? []
    : ['', 'Drift since the run before:', ...lines, `  ${nextQuery('data_quality', where)}`];
}

function leftOutLines({ leftOut }: Status): readonly string[] {
  const lines = leftOut.map(
    ({ name, missing }) =>
      `  ${name}: needs ${missing.map(({ column, reason }) => `${column} (${reason})`).join(', ')}`,
  );
  return lines.length === 0 ? [] : ['', 'Views that these tables cannot answer:', ...lines];
}

/** True if the lease is free: its holder has ended, or has not renewed it in time. */
function isOver({ hasEnded, until }: NonNullable<Status['running']>, now: Date): boolean {
  return hasEnded || Date.parse(until) <= now.getTime();
}

function underWay(running: Status['running']): readonly string[] {
  if (running === null) return [];
  const { runId, hasEnded, isByHand } = running;
  if (!hasEnded)
    return [
      `${isByHand ? 'A command on run' : 'Run'} ${runId} is under way since ${roundedTime(running.takenAt)}; it holds the lease until ${roundedTime(running.until)}.`,
    ];
  return [
    isByHand
      ? `A command on run ${runId} (repair, rebuild, rollback, purge or schema) was killed. Nothing of it is published: start it again if it is still wanted.`
      : `Run ${runId} was killed; started again as below, it goes on where it stopped.`,
  ];
}

/** What to do about the run that holds the lease; null if none does. */
function afterRun(running: Status['running'], where: Where): readonly string[] | null {
  if (running === null || (running.hasEnded && running.isByHand)) return null;
  if (running.hasEnded)
    return stepsOf(RECOVERY.killed, { here: { time: isoOf(running.runId) }, options: where });
  return [
    `Next: wait for ${running.isByHand ? 'the command on run' : 'run'} ${running.runId}; until it has ended, another start is refused.`,
  ];
}

/** The missing answers. */
const UNGOT = "select * from outcomes where outcome in ('denied', 'failed')";

function nextStep(
  { committed, broken, older, verified }: Status,
  { back, where }: { readonly back: WayBack; readonly where: Where },
): readonly string[] {
  if (older !== null) return stepsOf(RECOVERY.lostState, { options: where });
  if (committed !== null && isAhead(committed.runId, where.now)) return afterAhead(back, where);
  if (broken.length > 0) return cureOf(broken, { back, where });
  const names = removedSources(committed, where);
  if (names.length > 0) return stepsOf(RECOVERY.removed, { here: { names }, options: where });
  const steps = committed === null ? [] : nextSteps(committed, { ...where, canRepair: back.repair !== null });
  if (steps.length > 0) return [...steps, 'What that is:', `  ${nextQuery(UNGOT, where)}`];
  if (verified !== null && verified.damaged > 0)
    return [
      'Next: look at each damaged or missing file and its cure:',
      `  ${nextCommand(['verify'], where)}`,
    ];
  return ['Next: nothing; the next run adds a day.'];
}

/** Sources of the newest run that the config no longer has. */
function removedSources(committed: Status['committed'], { configured }: Where): readonly string[] {
  if (committed === null || configured === undefined) return [];
  const names = new Set(configured.sources.map(({ name }) => name));
  return [...committed.sources, ...(committed.uncalled ?? [])]
    .map(({ name }) => name)
    .filter((name) => !names.has(name));
}

/** A rebuild of the broken days if their raw is kept, otherwise a rollback to the newest complete commit. */
function cureOf(
  broken: Status['broken'],
  { back, where }: { readonly back: WayBack; readonly where: Where },
): readonly string[] {
  const [first] = broken.flatMap(({ date }) => date ?? []).sort();
  const [newest] = back.rollbacks;
  const canRebuild = first !== undefined && back.rebuildFrom !== null && back.rebuildFrom <= first;
  if (canRebuild) return stepsOf(RECOVERY.damaged, { here: { date: first }, options: where });
  if (newest === undefined)
    return ['Next: restore the files named above from a copy; until then the broken tables have no answer.'];
  return stepsOf(RECOVERY.damagedForGood, { here: { run: newest.runId }, options: where });
}

/** `20261121T030000Z` → `2026-11-21T03:00:00Z`, as --run-time takes it. */
function isoOf(runId: string): string {
  return runId.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
}
