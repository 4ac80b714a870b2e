import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { lakeKey } from '#lib/lake/keys.ts';
import { EVENT_DETAILS, type NewsEvent } from '#lib/news/events.ts';
import type { Message } from '#lib/news/message.ts';
import { KEY, MACHINE, newsLab, receivers, textsOfRecords } from '../news/news-lab.ts';
import { webhookServer } from '../news/support.ts';

// Each test exports and opens all tables, some 2 s if nothing else runs.
vi.setConfig({ testTimeout: 120_000 });

let news: Awaited<ReturnType<typeof newsLab>>;
beforeAll(async () => {
  news = await newsLab();
});
afterAll(() => news?.[Symbol.asyncDispose]());

/** The message that a webhook was sent, by its place. */
const messageTo = ({ heard }: { readonly heard: readonly { readonly body: string }[] }, place = 0): Message =>
  JSON.parse(heard[place]?.body ?? '');
const types = (events: readonly NewsEvent[]) => [...new Set(events.map(({ type }) => type))];

it('a first run puts its page and tells what was found, once', async () => {
  await using server = await webhookServer();
  const runId = await news.run('2026-11-10T03:00:00Z');
  const first = await news.told(news.ended(runId), server.url);
  expect(types(first)).toEqual(expect.arrayContaining(['Run Committed', 'Finding Worse']));
  expect(await news.told(news.ended(runId), server.url)).toEqual([]);
  expect(server.heard.length).toBe(1);
  const message = messageTo(server);
  const { attempt } = news.made;
  expect(message).toMatchObject({ version: 1, installation: 'lab', runId, attempt, status: 'complete' });
  expect(message.findings.length).toBeGreaterThan(0);
  expect(message.findings.every(({ before }) => before === null)).toBe(true);
  expect(message.report).toBe('https://console.example.com/report.html');
  expect([...news.pages.keys()]).toEqual(['report.html', 'report-2026-11-10.html']);
  expect(news.pages.get('report.html')).toContain('<!doctype html>');
});

it('the next run tells what is worse than then, with names', async () => {
  await using server = await webhookServer();
  news.lab.simulator.day = 1;
  const runId = await news.run('2026-11-11T03:00:00Z');
  const events = await news.told(news.ended(runId), server.url, { runs: 'all' });
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
  news.lab.simulator.day = 2;
  await news.lab.simulator.setFaults('denied:0.4@resource=screens');
  const partial = await news.run('2026-11-12T03:00:00Z');
  await news.lab.simulator.setFaults('');
  await news.told(news.ended(partial, { status: 'FAILED' }), server.url, { findings: null });
  const message = messageTo(server);
  expect(message).toMatchObject({ findings: [], status: 'partial' });
  expect(message.text).toMatch(/Source berlin is \w+, [\d.]+ % of its listings answered/);
  const whole = await news.run('2026-11-13T03:00:00Z');
  const quiet = await news.told(news.ended(whole), server.url, { findings: 1_000_000 });
  expect(types(quiet)).toContain('Run Committed');
  expect(server.heard.length).toBe(1);
});

it('a run that committed nothing is told as failed, and the next is compared with the one before it', async () => {
  await using server = await webhookServer();
  news.made.attempt += 1;
  const events = await news.told(news.ended('20261114T030000Z', { status: 'TIMED_OUT' }), server.url);
  expect(types(events)).toEqual(['Run Failed']);
  expect(messageTo(server)).toMatchObject({ status: 'TIMED_OUT', report: null });
  const next = await news.run('2026-11-15T03:00:00Z');
  const after = await news.told(news.ended(next), server.url, { runs: 'all' });
  expect(messageTo(server, 1).findings.every(({ before }) => before !== null)).toBe(true);
  expect(after[0]).toMatchObject({ type: 'Run Committed' });
});
const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:news';
const both = { runs: 'all', topicArn: TOPIC };
/** An operator's command that ended. */
const operated = (command: string) => {
  const stateMachineArn = MACHINE.replace('-export', '-operate');
  return news.ended('x', { stateMachineArn, status: 'SUCCEEDED', input: JSON.stringify({ command }) });
};
/** How many of the sent events tell of a commit. */
const commitsOf = (bus: readonly string[]) => bus.filter((type) => type === 'Run Committed').length;

it('what was worse while a way was deaf stands in the next message that it takes', async () => {
  await using hearing = await webhookServer();
  const before = await news.run('2026-11-16T03:00:00Z');
  await news.told(news.ended(before), hearing.url, both, receivers().ways);
  news.lab.simulator.day = 3;
  const deafRun = await news.run('2026-11-16T03:03:00Z');
  await using deaf = await webhookServer([404]);
  const { topic, ways } = receivers();
  await expect(news.told(news.ended(deafRun), deaf.url, both, ways)).rejects.toThrow('it answered 404');
  const next = await news.run('2026-11-16T03:04:00Z');
  await using server = await webhookServer();
  await news.told(news.ended(next), server.url, both, ways);
  expect(topic[0]?.findings.length).toBeGreaterThan(0);
  // The topic has heard it; the webhook hears it now.
  expect(topic[1]?.findings).toEqual([]);
  expect(messageTo(server).findings).toEqual(topic[0]?.findings);
});

it('a call that was killed while it told one way: the next one tells the others, and this way with the same id', async () => {
  const runId = await news.run('2026-11-16T03:05:00Z');
  await using server = await webhookServer();
  const { topic, bus, ways } = receivers();
  const begun = Promise.withResolvers<void>();
  const killed = async (...sent: Parameters<typeof ways.sendToTopic>) => {
    await ways.sendToTopic(...sent);
    begun.resolve();
    return new Promise<void>(() => {});
  };
  void news.told(news.ended(runId), server.url, both, { ...ways, sendToTopic: killed });
  await begun.promise;
  await news.told(news.ended(runId), server.url, both, ways);
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 2, 1]);
  expect(topic[1]).toEqual(topic[0]);
});

it('a page that fails holds up no event and no message, and the next call puts it', async () => {
  const runId = await news.run('2026-11-16T03:05:30Z');
  await using server = await webhookServer();
  const { topic, bus, ways } = receivers();
  news.pages.clear();
  const page = () => Promise.reject(new Error('AuthorizationError'));
  const failing = news.told(news.ended(runId), server.url, both, { ...ways, page });
  await expect(failing).rejects.toThrow('AuthorizationError');
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 1, 1]);
  expect(topic[0]?.report).toBe('https://console.example.com/report.html');
  expect(news.pages.size).toBe(0);
  await news.told(news.ended(runId), server.url, both, ways);
  expect(news.pages.size).toBe(2);
  expect([server.heard.length, topic.length, commitsOf(bus)]).toEqual([1, 1, 1]);
});

it('a purge empties the pages of earlier dates, and no other command does', async () => {
  await using server = await webhookServer();
  await news.run('2026-11-16T03:07:00Z');
  news.pages.clear();
  await news.told(operated('rebuild'), server.url);
  expect([...news.pages.keys()]).toEqual(['report.html', 'report-2026-11-16.html']);
  await news.told(operated('purge-record'), server.url);
  expect(news.pages.get('report-2026-11-10.html')).toContain('This page was emptied');
  for (const kept of ['report.html', 'report-2026-11-16.html'])
    expect(news.pages.get(kept)).not.toContain('was emptied');
  news.pages.clear();
  await news.told(operated('purge'), server.url);
  expect([...news.pages.keys()]).toEqual(['report.html', 'report-2026-11-16.html']);
});

/** The run of each of these messages, and the texts of its records. */
let shown: { readonly runId: string } & Awaited<ReturnType<typeof textsOfRecords>>;
const FORMS = ['json', 'slack', 'teams'] as const;
it.each(FORMS)('a message to %s has its form, and says names and nothing else of records', async (form) => {
  await using server = await webhookServer();
  news.lab.simulator.day = 4;
  shown ??= { runId: await news.run('2026-11-18T03:00:00Z'), ...(await textsOfRecords(news.lab)) };
  const { runId, names, others } = shown;
  // It is told every finding, as a first run is, and as if nobody had told of it.
  await news.lab.lake.remove([lakeKey('found')]);
  const events = await news.told(news.ended(runId), server.url, { form, runs: 'all' });
  const body = JSON.parse(server.heard[0]?.body ?? '');
  const url = 'https://console.example.com/report.html';
  const isForm = { json: { report: url }, slack: { text: expect.stringContaining(`<${url}|The report>`) } };
  const card = { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl', url }] };
  expect(body).toMatchObject({ ...isForm, teams: { attachments: [{ content: card }] } }[form]);
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
});

it('every event is as docs/run/events.md says, and none has a key', () => {
  const all = news.published.flat();
  expect(types(all)).toEqual(expect.arrayContaining(['Run Committed', 'Run Failed', 'Finding Worse']));
  for (const { type, detail } of all) z.parse(EVENT_DETAILS[type], detail);
  const text = JSON.stringify(all) + [...news.pages.values()].join('');
  const { signage, backup } = news.lab.simulator.secrets;
  for (const secret of [KEY, ...Object.values({ ...signage, ...backup })]) expect(text).not.toContain(secret);
});
