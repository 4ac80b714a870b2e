import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { parseConfig } from '#lib/config/parse-config.ts';
import { readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { EVENT_DETAILS, type NewsEvent } from '#lib/news/events.ts';
import type { Message } from '#lib/news/message.ts';
import { type ExecutionEnded, type NewsServices, tellNews } from '#lib/news/tell-news.ts';
import { untoldCommit } from '#lib/news/untold.ts';
import { bundlePage } from '#lib/report/page-assets.ts';
import type { PageAssets } from '#lib/report/render-page.ts';
import { RESOURCES } from '#lib/sources/resources.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { webhookServer } from '../news/support.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

const MACHINE = 'arn:aws:states:eu-central-1:111122223333:stateMachine:lab-export';
const KEY = 'a key that nobody guesses';
// Each test exports and opens all tables, some 2 s if nothing else runs.
vi.setConfig({ testTimeout: 120_000 });

let lab: ExportLab;
let page: PageAssets;
const pages = new Map<string, string>();
const published: NewsEvent[][] = [];

beforeAll(async () => {
  lab = await exportLab({ players: 30, seed: 7 });
  page = await bundlePage();
});
afterAll(() => lab?.[Symbol.asyncDispose]());

/** The attempt of the committed head, or one that committed nothing. */
let attempt = 0;
const ended = (runId: string, settings: Partial<ExecutionEnded> = {}) => ({
  executionArn: `${MACHINE.replace('stateMachine', 'execution')}:${runId}`,
  stateMachineArn: MACHINE,
  status: 'SUCCEEDED',
  input: JSON.stringify({ runId, attempt, sources: ['berlin', 'vault'] }),
  ...settings,
});

/** Tells of an execution to a webhook of that address. */
async function told(of: ExecutionEnded, url: string, notify: object = {}, more: Partial<NewsServices> = {}) {
  const written = JSON.parse(lab.written.text);
  const config = parseConfig(
    JSON.stringify({ ...written, notify: { webhookSecret: 'lab/hook', ...notify } }),
    lab.written.file,
  );
  const events: NewsEvent[] = [];
  const answer = await tellNews(of, {
    lake: lab.lake,
    config,
    stateMachineArn: MACHINE,
    now: () => new Date(),
    timeLeft: () => 600_000,
    queries: QUERIES,
    page: async () => page,
    pages: {
      addressOf: (name) => `https://console.example.com/${name}`,
      put: async (names, html) => {
        for (const name of names) pages.set(name, html);
      },
    },
    publish: async (each) => void events.push(...each),
    webhook: async () => ({ url, key: KEY }),
    sendToTopic: async () => {},
    ...more,
  });
  published.push(events);
  return { answer, events };
}

/** The message that a webhook was sent, by its place. */
const messageTo = ({ heard }: { readonly heard: readonly { readonly body: string }[] }, place = 0): Message =>
  JSON.parse(heard[place]?.body ?? '');
const types = (events: readonly NewsEvent[]) => [...new Set(events.map(({ type }) => type))];
const run = async (runTime: string) => {
  const { runId } = await lab.run(runTime);
  attempt = (await readHead(lab.lake))?.head.attempt ?? 0;
  return runId;
};

it('a first run puts its page and tells what was found, once', async () => {
  await using server = await webhookServer();
  const runId = await run('2026-11-10T03:00:00Z');
  const [first, second] = [await told(ended(runId), server.url), await told(ended(runId), server.url)];
  expect(first.answer).toMatchObject({ told: true, messages: 1 });
  expect(second.answer).toEqual({ told: false, events: 0, messages: 0 });
  expect(server.heard.length).toBe(1);
  const message = messageTo(server);
  expect(message).toMatchObject({ version: 1, installation: 'lab', runId, attempt, status: 'complete' });
  expect(message.findings.length).toBeGreaterThan(0);
  expect(message.findings.every(({ before }) => before === null)).toBe(true);
  expect(message.report).toBe('https://console.example.com/report.html');
  expect([...pages.keys()]).toEqual(['report.html', 'report-2026-11-10.html']);
  expect(pages.get('report.html')).toContain('<!doctype html>');
});

it('the next run tells what is worse than then, with names', async () => {
  await using server = await webhookServer();
  lab.simulator.day = 1;
  const runId = await run('2026-11-11T03:00:00Z');
  const { events } = await told(ended(runId), server.url, { runs: 'all' });
  const worse = events.filter((event) => event.type === 'Finding Worse');
  for (const { detail } of worse) expect(detail.now).toBeGreaterThan(detail.before ?? Infinity);
  const message = messageTo(server);
  expect(message.findings.map(({ finding }) => finding)).toEqual(worse.map(({ detail }) => detail.finding));
  expect(message.text).toMatch(/\nSince 2026-11-10: .*player added 1, player removed 1/);
  // A question that the run before had is not news.
  expect(message).toMatchObject({ questions: 0, drift: 0 });
});

it('a run that is partial is told with its sources, one with nothing to tell is not', async () => {
  await using server = await webhookServer();
  lab.simulator.day = 2;
  await lab.simulator.setFaults('denied:0.4@resource=screens');
  const partial = await run('2026-11-12T03:00:00Z');
  await lab.simulator.setFaults('');
  await told(ended(partial, { status: 'FAILED' }), server.url, { findings: null });
  const message = messageTo(server);
  expect(message).toMatchObject({ findings: [], status: 'partial' });
  expect(message.text).toMatch(/Source berlin is \w+, [\d.]+ % of its listings answered/);
  const whole = await run('2026-11-13T03:00:00Z');
  const quiet = await told(ended(whole), server.url, { findings: 1_000_000 });
  expect(quiet.answer).toMatchObject({ told: true, messages: 0 });
  expect(server.heard.length).toBe(1);
});

it('a run that committed nothing is told as failed, and the next is compared with the one before it', async () => {
  await using server = await webhookServer();
  attempt += 1;
  const { events } = await told(ended('20261114T030000Z', { status: 'TIMED_OUT' }), server.url);
  expect(types(events)).toEqual(['Run Failed']);
  expect(messageTo(server)).toMatchObject({ status: 'TIMED_OUT', report: null });
  const next = await run('2026-11-15T03:00:00Z');
  const after = await told(ended(next), server.url, { runs: 'all' });
  expect(messageTo(server, 1).findings.every(({ before }) => before !== null)).toBe(true);
  expect(after.events[0]).toMatchObject({ type: 'Run Committed' });
});

/** The texts in the cells of records: names, and others that are long enough to be told from any word. */
async function textsOfRecords() {
  const [names, others] = [new Set<string>(), new Set<string>()];
  for (const { name } of RESOURCES) {
    for (const row of await lab.rows(`select * exclude (export_source, export_run_id) from ${name}`))
      for (const [column, cell] of Object.entries(row)) {
        if (typeof cell !== 'string' || cell.startsWith('2026-')) continue;
        if (/(name|_type|slot|_id)$/.test(column)) names.add(cell);
        else if (cell.length > 4) others.add(cell);
      }
  }
  return { names, others };
}

/** What `watch` finds, so many minutes from now. */
const untold = (minutes: number) =>
  untoldCommit({ lake: lab.lake, now: new Date(Date.now() + minutes * 60_000), stateMachineArn: MACHINE });
const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:news';
/** What the topic and the bus were sent, and how to send it. */
function receivers() {
  const [topic, bus]: [Message[], string[]] = [[], []];
  return {
    topic,
    bus,
    ways: {
      sendToTopic: async (_: string, message: Message) => void topic.push(message),
      publish: async (each: readonly NewsEvent[]) => void bus.push(...each.map(({ type }) => type)),
    },
  };
}
const both = { runs: 'all', topicArn: TOPIC };
/** A way that takes nothing. */
const refuse = async () => {
  throw new Error('AuthorizationError');
};
/** An operator's command that ended. */
const operated = (command: string, status = 'SUCCEEDED') =>
  ended('x', {
    ...{
      stateMachineArn: MACHINE.replace('-export', '-operate'),
      input: JSON.stringify({ command }),
      status,
    },
  });
/** How many of the sent events tell of a commit. */
const commitsOf = (bus: readonly string[]) => bus.filter((type) => type === 'Run Committed').length;

it('a webhook that refuses hides nothing from the topic; the next call tells it, and none after it', async () => {
  const runId = await run('2026-11-16T03:00:00Z');
  const { topic, bus, ways } = receivers();
  for (const _ of [1, 2]) {
    await using deaf = await webhookServer([404]);
    await expect(told(ended(runId), deaf.url, both, ways)).rejects.toThrow('it answered 404');
  }
  await using server = await webhookServer();
  expect((await told(ended(runId), server.url, both, ways)).answer).toMatchObject({ messages: 1 });
  expect((await told(ended(runId), server.url, both, ways)).answer).toMatchObject({ told: false });
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 1, 1]);
});

it('what was worse while a way was deaf stands in the next message that it takes', async () => {
  lab.simulator.day = 3;
  const deafRun = await run('2026-11-16T03:03:00Z');
  await using deaf = await webhookServer([404]);
  const { topic, ways } = receivers();
  await expect(told(ended(deafRun), deaf.url, both, ways)).rejects.toThrow('it answered 404');
  const next = await run('2026-11-16T03:04:00Z');
  await using server = await webhookServer();
  await told(ended(next), server.url, both, ways);
  expect(topic[0]?.findings.length).toBeGreaterThan(0);
  // The topic has heard it; the webhook hears it now.
  expect(topic[1]?.findings).toEqual([]);
  expect(messageTo(server).findings).toEqual(topic[0]?.findings);
});

it('a call that was killed while it told one way: the next one tells the others, and this way with the same id', async () => {
  const runId = await run('2026-11-16T03:05:00Z');
  await using server = await webhookServer();
  const { topic, bus, ways } = receivers();
  const begun = Promise.withResolvers<void>();
  const killed = async (...sent: Parameters<typeof ways.sendToTopic>) => {
    await ways.sendToTopic(...sent);
    begun.resolve();
    return new Promise<void>(() => {});
  };
  void told(ended(runId), server.url, both, { ...ways, sendToTopic: killed });
  await begun.promise;
  await told(ended(runId), server.url, both, ways);
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 2, 1]);
  expect(topic[1]).toEqual(topic[0]);
});

it('a page that fails holds up no event and no message, and the next call puts it', async () => {
  const runId = await run('2026-11-16T03:05:30Z');
  await using server = await webhookServer();
  const { topic, bus, ways } = receivers();
  pages.clear();
  const failing = told(ended(runId), server.url, both, { ...ways, page: refuse });
  await expect(failing).rejects.toThrow('AuthorizationError');
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 1, 1]);
  expect(topic[0]?.report).toBe('https://console.example.com/report.html');
  expect(pages.size).toBe(0);
  await told(ended(runId), server.url, both, ways);
  expect(pages.size).toBe(2);
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 1, 1]);
});

it('a commit of which nobody was told is found, once it is old enough for an event to have come', async () => {
  const runId = await run('2026-11-16T03:05:50Z');
  expect(await untold(1)).toBeUndefined();
  const event = await untold(10);
  expect(event).toMatchObject({ status: 'SUCCEEDED', stateMachineArn: MACHINE });
  await using server = await webhookServer();
  const answered = await told({ ...ended(runId), ...event }, server.url, { runs: 'all' });
  expect(answered.answer).toMatchObject({ told: true, messages: 1 });
  expect(await untold(10)).toBeUndefined();
});

it('a purge empties the pages of earlier dates, and no other command does', async () => {
  await using server = await webhookServer();
  await run('2026-11-16T03:07:00Z');
  pages.clear();
  await told(operated('rebuild'), server.url);
  expect([...pages.keys()]).toEqual(['report.html', 'report-2026-11-16.html']);
  await told(operated('purge-record'), server.url);
  expect(pages.get('report-2026-11-10.html')).toContain('This page was emptied');
  for (const kept of ['report.html', 'report-2026-11-16.html'])
    expect(pages.get(kept)).not.toContain('was emptied');
  pages.clear();
  await told(operated('purge'), server.url);
  expect([...pages.keys()]).toEqual(['report.html', 'report-2026-11-16.html']);
});

/** The run of each of these messages, and the texts of its records. */
let shown: { readonly runId: string } & Awaited<ReturnType<typeof textsOfRecords>>;
it.each(['json', 'slack', 'teams'])(
  'a message to %s has its form, and says names and nothing else of records',
  async (form) => {
    await using server = await webhookServer();
    lab.simulator.day = 4;
    shown ??= { runId: await run('2026-11-18T03:00:00Z'), ...(await textsOfRecords()) };
    const { runId, names, others } = shown;
    // It is told every finding, as a first run is, and as if nobody had told of it.
    await lab.lake.remove([lakeKey('found'), lakeKey('told', { runId, attempt })]);
    const { events } = await told(ended(runId), server.url, { form, runs: 'all' });
    const body = JSON.parse(server.heard[0]?.body ?? '');
    if (form === 'slack') expect(body.text).toContain('<https://console.example.com/report.html|The report>');
    if (form === 'teams')
      expect(body.attachments[0].content).toMatchObject({
        type: 'AdaptiveCard',
        actions: [{ type: 'Action.OpenUrl', url: 'https://console.example.com/report.html' }],
      });
    // A screen has a number, and often no name.
    const isName = (part: string) => names.has(part) || ['', ...names].includes(part.replace(/^\d\d? ?/, ''));
    const mentioned = events.flatMap((event) => (event.type === 'Finding Worse' ? event.detail.names : []));
    const known = mentioned.filter((name) => name.split(' · ').every(isName));
    expect(known.length).toBeGreaterThan(5);
    const said = server.heard.map(({ body }) => body.replaceAll('\\', '')).join('\n');
    const rest = known.reduce((text, name) => text.replaceAll(name, ''), said);
    expect(rest).not.toBe(said);
    expect(others.size).toBeGreaterThan(100);
    expect([...others].filter((text) => rest.includes(text))).toEqual([]);
  },
);

it('every event is as docs/run/events.md says, and none has a key', () => {
  const all = published.flat();
  expect(types(all)).toEqual(expect.arrayContaining(['Run Committed', 'Run Failed', 'Finding Worse']));
  for (const { type, detail } of all) z.parse(EVENT_DETAILS[type], detail);
  const text = JSON.stringify(all) + [...pages.values()].join('');
  const { signage, backup } = lab.simulator.secrets;
  for (const secret of [KEY, ...Object.values({ ...signage, ...backup })]) expect(text).not.toContain(secret);
});
