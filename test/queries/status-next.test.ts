import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { describeStatus } from '#cli/describe-status.ts';
import { describeRun } from '#cli/print-run.ts';
import { showProgress } from '#cli/progress.ts';
import { type CommittedStatus, type Status, statusOf } from '#cli/status-of.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { signageViewLab } from './view-lab.ts';

const EMPTY: Status = {
  oldFrom: null,
  ...{ committed: null, committedAt: null, running: null, back: null, verified: null, older: null },
  ...{ freshness: [], runs: [], days: [], drift: [], leftOut: [], broken: [], isDatabaseOld: false },
};
const SUMMARY: RunSummary = {
  ...{ runId: '20261120T030000Z', status: 'partial' as const, durationSeconds: 1, requests: 1, retries: 0 },
  ...{ sources: [], tables: {} },
};
const BACK = {
  repair: { runId: SUMMARY.runId, listings: 5, until: null },
  ...{ tooLate: null, rollbacks: [], rebuildFrom: '2026-11-20' },
};
const COMMITTED: CommittedStatus & Status = {
  ...EMPTY,
  ...{ committed: SUMMARY, committedAt: '2026-11-20T03:05:00.000Z', days: ['2026-11-20'], back: BACK },
};
const LEASE = {
  ...{ runId: '20261121T030000Z', attempt: 2, holder: { execution: 'x' } },
  ...{ takenAt: '2026-11-21T03:00:00.000Z', until: '2026-11-21T03:10:00.000Z' },
  ...{ released: false, hasEnded: false, isByHand: false },
};
const NOW = new Date('2026-11-21T03:05:00Z');

const next = (status: Status, now: string | Date = NOW) =>
  describeStatus(status, { lake: "./Peter's lake", secrets: 's.json', now: new Date(now) })
    .join('\n')
    .replace(/^[\s\S]*\nNext/, 'Next');
const GIVEN = '--secrets s.json --lake "./Peter\'s lake"';
const LATE = [
  'Next: the run that was due has not come. See whether the schedule still starts runs (on AWS: docs/run/runbook.md, "run late"), and export now:',
  `  signage-export run ${GIVEN}`,
].join('\n');

it('files that verify found damaged are what comes next', () => {
  const committed = { ...SUMMARY, status: 'complete' as const };
  const verified = { at: '2026-11-21T03:00:00Z', part: 0, parts: 1, files: 9, bytes: 9, unknown: 0 };
  expect(next({ ...COMMITTED, committed, verified: { ...verified, damaged: 0 } })).toContain('Next: nothing');
  expect(next({ ...COMMITTED, committed, verified: { ...verified, damaged: 1 } })).toMatch(
    /^Next: look at each damaged or missing file and its cure:\n {2}.*verify/,
  );
});

it('status of a lake whose schedule died says so, and how to export now, from when its page is old', async () => {
  await using lab = await signageViewLab({
    config: { schedule: 'cron(0 3 ? * MON-FRI *)', timeZone: 'UTC' },
  });
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1 }] });
  const status = await statusOf(lab.lake.name, undefined);
  if (status.committed === null) throw new Error('It has a commit.');
  expect(status.oldFrom).toBe('2026-11-23T06:00:00.000Z');
  const complete = { ...status, committed: { ...SUMMARY, status: 'complete' as const } };
  const old = 'Old since 2026-11-23 06:00Z: the run that was due has not come.';
  const said = (now: string) => describeStatus(complete, { lake: './lake', now: new Date(now) });
  expect(said('2026-11-23T06:00:00Z')).not.toContain(old);
  expect(next(complete, '2026-11-23T06:00:00Z')).toBe('Next: nothing; the next run adds a day.');
  expect(said('2026-11-23T06:01:00Z')).toContain(old);
  expect(next(complete, '2026-11-23T06:01:00Z')).toBe(LATE);
  const partial = { ...status, committed: SUMMARY };
  expect(next(partial, '2026-11-23T06:01:00Z')).toBe(LATE);
  const both = describeStatus(partial, { lake: './lake', now: new Date('2026-11-23T06:01:00Z') });
  expect(both.filter((line) => line.startsWith('Next: '))).toEqual([
    expect.stringContaining('fix the problem above'),
    LATE.split('\n')[0],
  ]);
  await lab.run('2026-11-23T07:00:00Z', { refused: true });
  expect((await statusOf(lab.lake.name, undefined)).oldFrom).toBe('2026-11-24T06:00:00.000Z');
});

it('an old lake.duckdb stays in the status until it is written again', () => {
  const said = describeStatus({ ...COMMITTED, isDatabaseOld: true }, { lake: './lake', now: NOW });
  expect(said.join('\n')).toMatch(/lake\.duckdb shows an older commit\. .*\n {2}.*views/);
});

it.each([
  ['before the first commit', EMPTY],
  ['with tables', COMMITTED],
])('status advises no start that is refused, %s', (_, status) => {
  const wait = 'Next: wait for run 20261121T030000Z; until it has ended, another start is refused.';
  const goOn = `Next:\n  signage-export run --run-time 2026-11-21T03:00:00Z ${GIVEN}`;
  expect(next({ ...status, running: LEASE })).toBe(wait);
  expect(next({ ...status, running: { ...LEASE, hasEnded: true } })).toBe(goOn);
  // Nobody renewed the lease: its holder is gone, and anybody may take it.
  expect(next({ ...status, running: LEASE }, '2026-11-21T03:11:00Z')).toBe(goOn);
});

it('status says of a run that is still to come that all runs are refused, and how to go back', () => {
  const now = '2023-11-26T15:43:00Z';
  const back = { repair: null, tooLate: null, rebuildFrom: null };
  const rollbacks = [{ runId: '20231125T030000Z', date: '2023-11-25', until: null }];
  const ahead = { ...COMMITTED, back: { ...back, rollbacks } };
  const said = describeStatus(ahead, { lake: './lake', now: new Date(now) });
  expect(said[0]).toBe(
    "The newest run, 20261120T030000Z, is still to come by this machine's clock (2023-11-26T15:43:00Z): every run is refused until 2026-11-20T03:00:00Z.",
  );
  expect(next(ahead, now)).toBe(
    `Next: put the clock of this machine right if it is behind. If it is right, go back to the newest run before now:\n  signage-export rollback 20231125T030000Z ${GIVEN}\n  signage-export run ${GIVEN}`,
  );
  const alone = { ...COMMITTED, back: { ...back, rollbacks: [] } };
  expect(next(alone, now)).toContain('name another lake with --lake');
  // A killed run of that clock cannot go on.
  const killed = { ...LEASE, hasEnded: true };
  expect(next({ ...EMPTY, running: killed }, now)).toBe(`Next:\n  signage-export run ${GIVEN}`);
  const fresh = [{ source: 'a', observedAt: '2026-11-20T03:00:00Z', isOfNewestRun: true }];
  expect(describeStatus({ ...ahead, freshness: fresh }, { lake: './lake', now: new Date(now) })[2]).toContain(
    '(still to come)',
  );
});

it('status tells a command that was killed from a run that was: its run is committed, and does not go on with it', () => {
  const runId = '20261120T030000Z';
  const byHand = { ...LEASE, runId, isByHand: true };
  expect(next({ ...COMMITTED, running: byHand })).toBe(
    `Next: wait for the command on run ${runId}; until it has ended, another start is refused.`,
  );
  const killed = { ...COMMITTED, running: { ...byHand, hasEnded: true } };
  expect(next(killed)).toBe(next(COMMITTED));
  expect(describeStatus(killed, { lake: './lake', now: NOW })[0]).toBe(
    `A command on run ${runId} (repair, rebuild, rollback, purge or schema) was killed. Nothing of it is published: start it again if it is still wanted.`,
  );
});

it('status says each next step as it can be pasted, with the options that were given', () => {
  expect(next(COMMITTED)).toBe(
    [
      'Next: fix the problem above, then retry the failed calls:',
      `  signage-export repair ${GIVEN}`,
      'What that is:',
      `  signage-export query "select * from outcomes where outcome in ('denied', 'failed')" ${GIVEN}`,
    ].join('\n'),
  );
  const broken = [{ name: 'players', message: 'damaged', date: '2026-11-20' }];
  expect(next({ ...COMMITTED, broken })).toContain(`\n  signage-export rebuild --from 2026-11-20 ${GIVEN}`);
});

it('a run and status say how to see the values that were rejected, with the options that were given', () => {
  const counts = { rows: 9, added: 9, removed: 0, changed: 0 };
  const withRejected = (rejected: number) => ({
    ...SUMMARY,
    tables: { players: { ...counts, rejected: 0 }, licenses: { ...counts, rejected } },
  });
  const place = { lake: './lake', config: 'my.json' };
  const local = `  signage-export query data_quality --config my.json`;
  expect(describeRun(withRejected(6), place)).toContain(local);
  expect(describeRun(withRejected(0), place).join('\n')).not.toContain('was rejected');
  const onAws = { ...place, lake: 's3://bucket', deployed: true, now: NOW };
  expect(describeStatus({ ...COMMITTED, committed: withRejected(1) }, onAws)).toContain(
    `  signage-export query data_quality --athena --config my.json`,
  );
});

it('without a terminal progress is a line at the begin of each stage, and every five seconds', () => {
  const show = shownProgress(1000);
  const collect = { stage: 'collect', source: 'berlin', done: 1 } as const;
  const said = [
    ...Array.from({ length: 12 }, () => show(collect)),
    ...(['plan', 'plan', 'commit'] as const).map((stage) => show({ stage })),
  ];
  expect(said.map((line) => (line === null ? '' : String(line).trim()))).toEqual([
    ...['collect: 1 listing', '', '', '', ''],
    ...['collect: 6 listings', '', '', '', ''],
    ...['collect: 11 listings', ''],
    ...['plan', '', 'commit'],
  ]);
});

/** Returns the line that an event adds where there is no terminal; so long after the event before. */
function shownProgress(everyMs = 60_000): (event: ProgressEvent) => unknown {
  const output = new PassThrough({ encoding: 'utf8' });
  let now = 0;
  const progress = showProgress(output, () => now);
  return (event) => {
    now += everyMs;
    progress.on(event);
    return output.read();
  };
}
