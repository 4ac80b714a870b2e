import { runTime } from '#lib/run-id.ts';
import { counted } from '#lib/text.ts';
import { CLOCKS_DIFFER_MS, toTheSecond } from '#lib/time.ts';
import { describeRun, percent } from './print-run.ts';
import { nextCommand, nextQuery } from './program-name.ts';
import { commandsOf, type NextOptions, nextSteps, RECOVERY, stepsOf } from './recovery.ts';
import { age, roundedTime, span } from './rounded.ts';
import type { CommittedStatus, Status } from './status-of.ts';
import { textTable } from './text-table.ts';

interface Where extends NextOptions {
  readonly lake: string;
  readonly now: Date;
}
type Lines = readonly string[];

/** A status as lines for an operator: what is committed, what happened, what can be restored, what to do next. */
export function describeStatus(status: Status, where: Where): Lines {
  const lease = leaseNow(status, where.now);
  if (status.committed === null) {
    const next = afterRun(lease, where) ?? ['Next:', `  ${nextCommand(['run'], where)}`];
    return [...underWay(lease), `${where.lake} has no tables yet.`, '', ...next];
  }
  const { committed, days, older } = status;
  const late = lateSince(status, where.now);
  const tables = Map.groupBy(status.broken, ({ message }) => message);
  const broken = [...tables].map(([message, of]) => `  ${of.map(({ name }) => name).join(', ')}: ${message}`);
  const drift = status.drift.flatMap(({ source, newColumns, misfits }) => {
    if (newColumns + misfits === 0) return [];
    return `  ${source}: new columns ${newColumns}, values that do not fit their column ${misfits}`;
  });
  const leftOut = status.leftOut.map(({ name, missing }) => {
    const columns = missing.map(({ column, reason }) => `${column} (${reason})`);
    return `  ${name}: needs ${columns.join(', ')}`;
  });
  const database = status.isDatabaseOld ? [`  ${nextCommand(['views'], where)}`] : [];
  const from = days[0] === days.at(-1) ? `, ${days[0]}` : ` from ${days[0]} to ${days.at(-1)}`;
  return [
    ...(older === null ? [] : [older, '']),
    ...underWay(lease),
    ...(broken.length === 0 ? [] : ['Broken tables; all others answer:', ...broken, '']),
    ...(isAhead(committed.runId, where.now)
      ? [
          `The newest run, ${committed.runId}, is still to come by this machine's clock (${toTheSecond(where.now)}): every run is refused until ${toTheSecond(runTime(committed.runId))}.`,
          '',
        ]
      : []),
    `${freshAsOf(status, where.now)}; ${counted(days.length, 'day')}${from}.`,
    ...(late === null ? [] : [`Old since ${roundedTime(late)}: the run that was due has not come.`]),
    ...sourceLines(status.freshness, where.now),
    ...describeRun(committed, where),
    '',
    'Last runs:',
    textTable(
      ['run', 'source', 'status', 'coverage', 'listed', 'denied', 'failed', 'first error'],
      status.runs.map(({ runId, source, coverage, listed, denied, failed, errorCode, ...run }) => [
        ...[runId, source, run.status, percent(coverage)],
        ...[listed, denied, failed].map(String),
        errorCode ?? '',
      ]),
      { states: ['status'], whole: ['run'] },
    ),
    ...section('Drift since the run before:', drift, `  ${nextQuery('data_quality', where)}`),
    ...section('Views that these tables cannot answer:', leftOut),
    ...section('lake.duckdb shows an older commit. Write the file again:', database),
    '',
    ...waysBack(status.back, where),
    verifiedLine(status.verified, where),
    '',
    ...(afterRun(lease, where) ?? nextStep(status, where)),
  ];
}

/** Nothing without lines. */
function section(title: string, lines: Lines, ...end: Lines): Lines {
  return lines.length === 0 ? [] : ['', title, ...lines, ...end];
}

function isAhead(runId: string, now: Date): boolean {
  return runTime(runId).getTime() - now.getTime() > CLOCKS_DIFFER_MS;
}

function lateSince({ oldFrom }: CommittedStatus, now: Date): string | null {
  return oldFrom !== null && now.getTime() > Date.parse(oldFrom) ? oldFrom : null;
}

/** The lease, which is also free if nobody has renewed it. A killed run in the future cannot continue. */
function leaseNow({ running }: Status, now: Date): Status['running'] {
  if (running === null) return null;
  const hasEnded = running.hasEnded || Date.parse(running.until) <= now.getTime();
  return hasEnded && !running.isByHand && isAhead(running.runId, now) ? null : { ...running, hasEnded };
}

function underWay(running: Status['running']): Lines {
  if (running === null) return [];
  const { runId, hasEnded, isByHand, takenAt, until } = running;
  const what = isByHand ? 'A command on run' : 'Run';
  const held = `${what} ${runId} is under way since ${roundedTime(takenAt)}; it holds the lease until ${roundedTime(until)}.`;
  const killed = isByHand
    ? `A command on run ${runId} (repair, rebuild, rollback, purge or schema) was killed. Nothing of it is published: start it again if it is still wanted.`
    : `Run ${runId} was killed; started again as below, it goes on where it stopped.`;
  return [hasEnded ? killed : held];
}

function freshAsOf({ freshness, broken, committedAt }: CommittedStatus, now: Date): string {
  if (freshness.length === 0 && broken.length > 0)
    return `Committed at ${roundedTime(committedAt)}; the age of the answers is unknown, because a table that has it is broken`;
  const newest = newestOf(freshness);
  return newest === undefined
    ? 'No listing was ever answered'
    : `Fresh as of ${roundedTime(newest)} (${age(newest, now)})`;
}

function newestOf(freshness: CommittedStatus['freshness']): string | undefined {
  const times = freshness.flatMap(({ observedAt }) => observedAt ?? []);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}

/** Sources answer at different times within a run. One that lags by more was left out, or failed. */
const LAG_MS = 3_600_000;

/** A line for each source, if one lags behind the newest, or got no answer at all in its newest run. */
function sourceLines(freshness: CommittedStatus['freshness'], now: Date): Lines {
  const newest = Date.parse(newestOf(freshness) ?? '');
  const lags = ({ observedAt, isOfNewestRun }: CommittedStatus['freshness'][number]) =>
    !isOfNewestRun || (observedAt !== null && newest - Date.parse(observedAt) > LAG_MS);
  if (!freshness.some(lags)) return [];
  return freshness.map(({ source, observedAt, isOfNewestRun }) => {
    if (observedAt === null) return `  ${source}: no call was ever answered; it has no rows`;
    const of = `as of ${roundedTime(observedAt)} (${age(observedAt, now)})`;
    return `  ${source}: ${isOfNewestRun ? of : `its newest run got no answer; its rows are ${of}`}`;
  });
}

/** What can be repaired, rolled back and rebuilt, each with its command. */
function waysBack({ repair, tooLate, rollbacks, rebuildFrom }: CommittedStatus['back'], where: Where): Lines {
  const { now, ...options } = where;
  const of = (until: string | null) => {
    if (until === null) return '';
    // Files are removed by the commit that comes after their day.
    const isDue = Date.parse(until) <= now.getTime();
    return isDue ? ' (until the next commit)' : ` (until ${roundedTime(until)}, in ${span(until, now)})`;
  };
  const [newest, ...earlier] = rollbacks;
  const others = earlier.map(({ runId, until }) => `${runId}${of(until)}`).join(', ');
  const listings = counted(repair?.listings ?? 0, 'listing');
  const repairs = repair && `repair can ask again for ${listings} of run ${repair.runId}${of(repair.until)}`;
  return [
    ...[repairs, tooLate].filter((line) => line !== null),
    ...(newest === undefined
      ? ['rollback: there is no earlier run to go back to']
      : [
          `${RECOVERY.badRun.next}${of(newest.until)}:`,
          ...commandsOf(RECOVERY.badRun, options, { RUN_ID: newest.runId }),
        ]),
    ...(others === '' ? [] : [`  or ${others}`]),
    ...(rebuildFrom === null
      ? ['rebuild: no raw answers are kept']
      : [
          'To make the tables from this day on, or from a later day, again from the raw answers:',
          ...commandsOf(RECOVERY.wrongSetting, options, { DATE: rebuildFrom }),
        ]),
  ];
}

function verifiedLine(verified: CommittedStatus['verified'], where: Where): string {
  if (verified === null) return `verify has never compared the files: ${nextCommand(['verify'], where)}`;
  const { at, part, parts, files, damaged } = verified;
  const sample = parts === 1 ? '' : ` (part ${part + 1} of ${parts})`;
  return `verify last read ${counted(files, 'file')}${sample} at ${roundedTime(at)}, ${age(at, where.now)}: ${damaged} damaged or missing`;
}

/** What to do about the run that holds the lease; null if none does. */
function afterRun(running: Status['running'], where: Where): Lines | null {
  if (running === null || (running.hasEnded && running.isByHand)) return null;
  const { runId } = running;
  if (running.hasEnded) return stepsOf(RECOVERY.killed, where, { TIME: toTheSecond(runTime(runId)) });
  return [
    `Next: wait for ${running.isByHand ? 'the command on run' : 'run'} ${runId}; until it has ended, another start is refused.`,
  ];
}

const UNGOT = "select * from outcomes where outcome in ('denied', 'failed')";

function nextStep(status: CommittedStatus, where: Where): Lines {
  const { committed, broken, older, verified, back } = status;
  const [newest] = back.rollbacks;
  if (older !== null) return stepsOf(RECOVERY.lostState, where);
  if (isAhead(committed.runId, where.now))
    return newest === undefined
      ? [
          'Next: put the clock of this machine right if it is behind. If it is right, wait until then, or name another lake with --lake: no earlier run can be gone back to.',
        ]
      : stepsOf(RECOVERY.clockAhead, where, { RUN_ID: newest.runId });
  if (broken.length > 0) {
    const [date] = broken.flatMap((table) => table.date ?? []).sort();
    if (date !== undefined && back.rebuildFrom !== null && back.rebuildFrom <= date)
      return stepsOf(RECOVERY.damaged, where, { DATE: date });
    return newest === undefined
      ? ['Next: restore the files named above from a copy; until then the broken tables have no answer.']
      : stepsOf(RECOVERY.damagedForGood, where, { RUN_ID: newest.runId });
  }
  const names = new Set(where.configured?.sources.map(({ name }) => name));
  const all = committed.sources.map(({ name }) => name);
  const removed = where.configured === undefined ? [] : all.filter((name) => !names.has(name));
  if (removed.length > 0) return stepsOf(RECOVERY.removed, where, { names: removed });
  const steps = nextSteps(committed, where, back.repair !== null);
  const late = lateSince(status, where.now) === null ? [] : stepsOf(RECOVERY.late, where);
  if (steps.length > 0) return [...steps, 'What that is:', `  ${nextQuery(UNGOT, where)}`, ...late];
  if (verified !== null && verified.damaged > 0)
    return [
      'Next: look at each damaged or missing file and its cure:',
      `  ${nextCommand(['verify'], where)}`,
      ...late,
    ];
  return late.length > 0 ? late : ['Next: nothing; the next run adds a day.'];
}
