import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { commitHead, type Head, readHead, writeHeadAt } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { tableKeys } from '#lib/lake/named-files.ts';
import { attemptName, runIdAt } from '#lib/run-id.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { DAY_MS } from '#lib/time.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { command } from './support/command.ts';
import { s3At, speakWith } from './support/s3.ts';

/** A run a day, so more than eight years. */
const KEPT_RUNS = 3000;
const LAST = Date.parse('2026-11-20T03:00:00Z');
/** What S3 takes from a laptop in the same continent. */
const ANSWER_MS = 30;
const PUT_AT_ONCE = 32;
/** So many times as long as after one run: 3 s on AWS, where that one takes about 1 s. A slow machine is slow at both. */
const MOST_TIMES = 5;

const s3 = s3At(inject('standIns').s3);
let lab: ExportLab;
let slow: Awaited<ReturnType<typeof slowly>>;
let name: string;
/** What status took where one run was kept. */
let afterOneRun: number;

beforeAll(async () => {
  speakWith(s3);
  lab = await exportLab({ players: 40, seed: 5 });
  slow = await slowly(s3.url, ANSWER_MS);
  name = `s3://${await s3.bucket('years')}`;
  await using lake = s3Lake(name, { pathStyle: true });
  await lab.run(new Date(LAST).toISOString(), { lake });
  afterOneRun = await fastest();
  await liveForYears(lake);
});
afterAll(async () => {
  for (const each of [slow, lab]) await each?.[Symbol.asyncDispose]();
});

describe('status of a lake on S3 with 3,000 kept runs', () => {
  it('asks for what it tells alone', async () => {
    const asked = slow.asked();
    const { code, stdout } = await askStatus();
    const requests = slow.asked() - asked;
    const seconds = await fastest();
    console.info(
      `status: ${seconds.toFixed(1)} s, ${requests} requests; ${afterOneRun.toFixed(1)} s after one run`,
    );
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(MOST_TIMES * afterOneRun);
    const status = JSON.parse(stdout);
    expect(status).toMatchObject({ broken: [], committed: { runId: runIdAt(new Date(LAST)) } });
    expect(status.runs.length).toBeGreaterThan(0);
    expect(status.days).toHaveLength(KEPT_RUNS);
    expect(status.back.rollbacks).toHaveLength(14);
    expect(requests).toBeLessThan(600);
  });
});

/** The seconds of the faster of two: other work beside the test slows one of them. */
async function fastest(): Promise<number> {
  const first = await askStatus();
  return Math.min(first.seconds, (await askStatus()).seconds);
}

/** `status` of the lake behind the slow store, and the seconds that it took. */
async function askStatus() {
  const environment = { AWS_ENDPOINT_URL_S3: slow.url };
  const began = performance.now();
  const { code, stdout } = await command(['status', '--lake', name, '--json'], { environment });
  return { code, stdout, seconds: (performance.now() - began) / 1000 };
}

/**
 * The same run each day before, as commits would have left it. Of days that are older than a quarter of a year, `runs`
 * alone has files: nobody may ask for another.
 */
async function liveForYears(lake: Lake): Promise<void> {
  const stored = await readHead(lake);
  if (stored === undefined) throw new Error('nothing is committed');
  const { head } = stored;
  const days = Array.from({ length: KEPT_RUNS - 1 }, (_, index) => new Date(LAST - (index + 1) * DAY_MS));
  const quarter = days.slice(0, 91);
  for (const [table, { newest }] of Object.entries(head.tables)) {
    const [from] = tableKeys(table, newest);
    const bytes = from === undefined ? undefined : (await lake.read(from))?.bytes;
    if (bytes === undefined) continue;
    await sideBySide(table === 'runs' ? days : quarter, PUT_AT_ONCE, async (day) => {
      for (const key of tableKeys(table, filesOf(newest, day))) await lake.write(key, bytes);
    });
  }
  const headOf = (day: Date): Head => {
    const before = days.filter((each) => each <= day);
    const tables = Object.entries(head.tables).map(([table, { newest, dates }]) => {
      const all = before.map((each) => [dateOf(each), attemptFiles(newest, each)] as const);
      const isLast = day.getTime() === LAST;
      const now = isLast ? newest : filesOf(newest, day);
      return [table, { newest: now, dates: { ...Object.fromEntries(all), ...(isLast && dates) } }];
    });
    return {
      ...head,
      tables: Object.fromEntries(tables),
      runId: runIdAt(day),
      scheduledAt: day.toISOString(),
      exportDate: dateOf(day),
      previous: runIdAt(new Date(day.getTime() - DAY_MS)),
    };
  };
  for (const day of days.slice(0, 20)) {
    await writeHeadAt(lake, lakeKey('runHead', { runId: runIdAt(day) }), headOf(day));
  }
  await sideBySide(days.slice(20), PUT_AT_ONCE, async (day) => {
    await lake.write(lakeKey('runHead', { runId: runIdAt(day) }), Buffer.from('{}'));
  });
  await commitHead(lake, headOf(new Date(LAST)), stored.etag);
}

type Newest = Head['tables'][string]['newest'];
const attemptFiles = ({ parts }: Newest, day: Date) => ({
  run: attemptName({ runId: runIdAt(day), attempt: 1 }),
  parts,
});
const filesOf = (newest: Newest, day: Date) => ({ ...attemptFiles(newest, day), date: dateOf(day) });
const dateOf = (day: Date) => day.toISOString().slice(0, 10);

/** The store behind an address that answers so much later, and counts what it is asked. */
async function slowly(url: string, milliseconds: number) {
  const { hostname, port } = new URL(url);
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    await sleep(milliseconds);
    const { method, headers, url: path } = request;
    const to = send({ hostname, port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(to);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
