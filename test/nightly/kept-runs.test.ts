import { cp, link, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCAL_HOLDER, localServices } from '#cli/local-services.ts';
import { statusOf } from '#cli/status-of.ts';
import { putHead } from '#lib/commit/put-head.ts';
import { commitHead, type Head, readHead, type TableHead, writeHeadAt } from '#lib/lake/head.ts';
import { writeJson } from '#lib/lake/json-object.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { readSummary } from '#lib/run/summary.ts';
import { attemptName, runIdAt } from '#lib/run-id.ts';
import { withAttempt } from '#lib/start/take-attempt.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

const DAY_MS = 24 * 3_600_000;
const QUARTER_MS = DAY_MS / 96;
const DAYS = 365;
/** Days of which every run's state is kept, for raw is. */
const RAW_DAYS = 30;
const NEWEST = '2026-11-20T23:45:00Z';

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Every run of the last 30 days, and the last of each day before: what commits leave of a year of 15-minute runs. */
function keptTimes(): readonly number[] {
  const newest = Date.parse(NEWEST);
  const young = Array.from({ length: RAW_DAYS * 96 - 1 }, (_, index) => newest - (index + 1) * QUARTER_MS);
  const old = Array.from({ length: DAYS - RAW_DAYS }, (_, index) => newest - (index + RAW_DAYS) * DAY_MS);
  return [...young, ...old];
}

/** A lake of one real run. So many runs before it get copies of its tables, state and raw: a year of days in all. */
async function yearOf(kept: number): Promise<ExportLab> {
  const lab = await exportLab({ players: 20 }, { config: { timeZone: 'UTC' } });
  await lab.run(NEWEST);
  const stored = (await readHead(lab.lake)) ?? expect.fail();
  const { head } = stored;
  const root = lab.lake.name;
  const newest = Date.parse(NEWEST);
  const attempt = (time: number) => ({ runId: runIdAt(new Date(time)), attempt: 1 });
  const lastOf = (day: number) => attempt(newest - day * DAY_MS);
  const own = attemptName(head);

  const tables: Record<string, TableHead> = {};
  for (const [table, { newest: files }] of Object.entries(head.tables)) {
    const days = Array.from({ length: DAYS }, (_, day) => {
      const run = day === 0 ? own : attemptName(lastOf(day));
      return [dayOf(newest - day * DAY_MS), { run, parts: files.parts }] as const;
    });
    tables[table] = { newest: files, dates: Object.fromEntries(days) };
    for (const [date, { run, parts }] of days.slice(1)) {
      for (const part of parts) {
        const from = join(root, lakeKey('table', { ...head, table, part }));
        const name = from.split('/').at(-1) ?? '';
        const to = join(root, 'tables', table, `export_date=${date}`, `run=${run}`, name);
        await mkdir(dirname(to), { recursive: true });
        await link(from, to);
      }
    }
  }
  /** What the head of a run said: the days until its own, and what the runs of its last 24 hours released. */
  const headAt = (time: number): Head => {
    const day = dayOf(time);
    const upTo = Object.entries(tables).map(([table, { newest: files, dates }]) => {
      const before = Object.fromEntries(Object.entries(dates).filter(([date]) => date < day));
      const mine = { run: attemptName(attempt(time)), parts: files.parts };
      return [table, { newest: { date: day, ...mine }, dates: { ...before, [day]: mine } }];
    });
    const released = Array.from({ length: 96 }, (_, index) => time - (index + 1) * QUARTER_MS).flatMap(
      (earlier) =>
        Object.keys(tables).map((table) => ({
          table,
          date: dayOf(earlier),
          run: attemptName(attempt(earlier)),
          at: new Date(earlier + QUARTER_MS).toISOString(),
        })),
    );
    return { ...head, ...attempt(time), exportDate: day, tables: Object.fromEntries(upTo), released };
  };
  await commitHead(lab.lake, { ...head, tables }, stored.etag);
  for (const time of keptTimes().slice(0, kept)) {
    const { runId } = attempt(time);
    const isYoung = newest - time < RAW_DAYS * DAY_MS;
    await cp(join(root, `state/runs/${head.runId}`), join(root, `state/runs/${runId}`), {
      recursive: true,
      filter: (path) =>
        isYoung || !/(batches|dialects|units|published|config|plan|outcomes)/.test(path.slice(root.length)),
    });
    await writeHeadAt(lab.lake, lakeKey('runHead', { runId }), headAt(time));
    if (isYoung) await cp(join(root, `raw/${head.runId}`), join(root, `raw/${runId}`), { recursive: true });
  }
  return lab;
}

/** How often both lakes are measured in turn: other programs make a time longer and nothing makes it shorter. */
const ROUNDS = 10;

/** The shortest seconds that a commit and `status` take in each of the lakes. */
async function measured(labs: readonly ExportLab[]) {
  const all = labs.map((lab) => ({ lab, commit: [] as number[], status: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { lab, commit, status } of all) {
      const seconds = await secondsOf(lab);
      commit.push(seconds.commit);
      status.push(seconds.status);
    }
  return all.map(({ commit, status }) => ({ commit: Math.min(...commit), status: Math.min(...status) }));
}

async function secondsOf(lab: ExportLab) {
  const services = { ...localServices(lab.lake), now: () => new Date(NEWEST), ...LOCAL_HOLDER };
  const { head } = (await readHead(lab.lake)) ?? expect.fail();
  const commit = await withAttempt(head.runId, services, async (lease) => {
    const next = { ...head, attempt: lease.attempt };
    await writeJson(lab.lake, lakeKey('summary', next), await readSummary(lab.lake, head));
    const began = performance.now();
    const retention = { ...lab.config, rawRetentionDays: RAW_DAYS + 1 };
    await putHead(services, { current: lease.base, next, lease, retention });
    return performance.now() - began;
  });
  const began = performance.now();
  await statusOf(lab.lake.name, lab.config);
  return { commit: commit / 1000, status: (performance.now() - began) / 1000 };
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

it('3,000 kept runs cost a commit and status no more than 30, and five years of state stay below 1 GB', async () => {
  await using few = await yearOf(30);
  await using many = await yearOf(3_000);
  const [before, after] = await measured([few, many]);
  const [small, large] = await Promise.all([few, many].map(({ lake }) => bytesIn(join(lake.name, 'state'))));
  const year = large ?? 0;
  /** Of the 3,000, 2,879 are of the last 30 days; a day before those leaves one. */
  const aDay = await dayBytes(many);
  const fiveYears = year + (5 * DAYS - (3_000 - RAW_DAYS * 96)) * aDay;
  const says = JSON.stringify({ before, after, small, year, aDay, fiveYears });
  console.info(says);
  expect(after?.commit, says).toBeLessThan(1.5 * (before?.commit ?? 0));
  expect(after?.status, says).toBeLessThan(1.5 * (before?.status ?? 0));
  expect(fiveYears, says).toBeLessThan(1e9);
});

/** What the last run of an old day leaves in state. */
async function dayBytes(lab: ExportLab): Promise<number> {
  const runId = runIdAt(new Date(Date.parse(NEWEST) - (RAW_DAYS + 5) * DAY_MS));
  return await bytesIn(join(lab.lake.name, 'state/runs', runId));
}
