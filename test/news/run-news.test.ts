import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Head } from '#lib/lake/head.ts';
import { EVENT_DETAILS } from '#lib/news/events.ts';
import { bodyOf, messageOf, type Notify } from '#lib/news/message.ts';
import { type RunNewsOptions, runNews } from '#lib/news/run-news.ts';
import type { Finding, News } from '#lib/report/report-data.ts';
import type { RunSummary } from '#lib/run/summary.ts';

const head = {
  ...{ runId: '20261123T030000Z', attempt: 4, status: 'complete', exportDate: '2026-11-23' },
  sources: ['berlin'],
} as unknown as Head;
const found = (count: number, name = 'Lobby'): Finding => ({
  ...{ id: 'stale-screens', urgency: 'now', count, what: 'screens are stale', why: '' },
  ...{ isLeast: false, newCount: null, isNewLeast: false, table: 'screens', kind: 'hours' },
  worst: [{ name, value: 12 }],
});
/** A question that says so in words, `players.At: 5 times have no zone.` */
function questionOf(text: string) {
  const [, resource, column, says] = /^(\w+)\.(\w+): (.+)\.$/.exec(text) ?? [];
  return { code: 'X', source: 'berlin', resource, column, says, cures: [] };
}

const summaryOf = (drift: string[], questions: string[]) =>
  ({
    tables: {},
    sources: [
      { name: 'berlin', status: 'complete', coverage: 1, drift, questions: questions.map(questionOf) },
    ],
  }) as unknown as RunSummary;

const NOTHING_NEW: News = { since: {}, players: null, kinds: [] };
const kind = (name: string, count: number | null, isLeast = false) => ({
  kind: name,
  counts: { 1: count, 7: 9, 30: 9 },
  ...{ isLeast: { 1: isLeast, 7: false, 30: false }, unknown: { 1: 0, 7: 0, 30: 0 } },
});
const since = { '1': { first: '2026-11-22', last: '2026-11-22' } };

function newsOf(options: {
  findings?: Finding[];
  drift?: string[];
  questions?: string[];
  before?: RunNewsOptions['before'];
  news?: News;
  lagging?: { source: string; observedAt: string }[];
}) {
  const { findings = [], drift = [], questions = [], before, news = NOTHING_NEW, lagging = [] } = options;
  const figures = { findings, news, lagging, muted: [] };
  const told = { installation: 'lab', head, before, report: 'https://x' };
  const all = { ...told, summary: summaryOf(drift, questions), figures };
  const { events, heard } = runNews(all);
  for (const { type, detail } of events) z.parse(EVENT_DETAILS[type], detail);
  return { events, heard, unknown: { ...all, figures: undefined } };
}

const notify = (settings: Partial<Notify> = {}): Notify => ({
  ...{ form: 'json', runs: 'partial', findings: 1, webhookSecret: 'hook' },
  ...settings,
});

it('what a run found that cannot be looked at is said as unknown, never as none, and the next run is compared with the one before', () => {
  const before = newsOf({ findings: [found(3, 'Lobby')] }).heard;
  const { unknown } = newsOf({ before });
  const { events, heard } = runNews(unknown);
  expect(events[0]?.detail).toMatchObject({ findings: null, news: [], newsSince: null });
  expect(messageOf(events, notify({ runs: 'all' }))?.text).toContain('could not be counted');
  expect(heard.findings).toEqual(before.findings);
  const first = runNews({ ...unknown, before: undefined }).heard;
  const [, worse] = newsOf({ findings: [found(3)], before: first }).events;
  expect(worse?.detail).toMatchObject({ now: 3, before: null });
});

it('what a run brought has an event for each drift and question that the run before did not have, whatever it counts', () => {
  const first = newsOf({
    drift: ['players.Size: 3 values are no numbers.'],
    questions: ['players.At: 5 times have no zone.'],
  });
  expect(first.events.map(({ type }) => type)).toEqual(['Run Committed', 'Drift', 'Question']);
  const again = newsOf({
    drift: ['players.Size: 4 values are no numbers.', 'screens.On: 1 value is no boolean.'],
    questions: ['players.At: 6 times have no zone.'],
    before: first.heard,
  });
  expect(again.events.map(({ type }) => type)).toEqual(['Run Committed', 'Drift']);
  const says = 'screens.On: 1 value is no boolean.';
  expect(again.events[1]?.detail).toMatchObject({ source: 'berlin', says });
});

describe('what a foreign server sends in plenty', () => {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const chapter = '\u{1F600}"'.repeat(2000);
  const novel = '\u{1F600}"'.repeat(300_000);
  const many = Array.from({ length: 3000 }, (_, index) => ({
    name: `customer-${index}-${'x'.repeat(50)}`,
    status: index % 3 === 0 ? 'failed' : 'complete',
    coverage: 0.5,
    error: index % 3 === 0 ? { code: 'KEY_REFUSED' } : undefined,
    drift: index < 60 ? [`${'y'.repeat(index)} ${chapter}`] : [],
    questions: [],
  }));
  const { events } = runNews({
    installation: 'lab',
    head,
    summary: { tables: {}, sources: many } as unknown as RunSummary,
    figures: {
      findings: [found(5, novel), { ...found(4, 'Lobby'), id: 'x' }],
      news: { since, players: null, kinds: [kind('x', 1)] },
      lagging: many.map(({ name }) => ({ source: name, observedAt: '2026-11-22T03:00:00Z' })),
      muted: [],
    },
    before: undefined,
    report: 'https://x',
  });

  it('is cut, so that EventBridge takes any ten events at once, and says how much more there is', () => {
    for (const { type, detail } of events) z.parse(EVENT_DETAILS[type], detail);
    const largest = events.map(({ detail }) => bytesOf(detail)).sort((a, b) => b - a);
    expect(largest.slice(0, 10).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(200_000);
    const [committed] = events;
    if (committed?.type !== 'Run Committed') throw new Error('no commit');
    const { sources, moreSources } = committed.detail;
    expect(sources.length + moreSources).toBe(3000);
    expect(sources.slice(0, 800).every(({ status }) => status === 'failed')).toBe(true);
    const worst = events.find((event) => event.type === 'Finding Worse');
    expect(worst?.detail.names[0]).toMatch(/^(\u{1F600}")+\u{1F600}?…$/u);
  });

  it('makes no message that a receiver refuses for its size', () => {
    const message = messageOf(events, notify());
    expect(message?.text).toMatch(/\n… \d+ more sources are not complete\.\n/);
    for (const form of ['json', 'slack', 'teams'] as const) {
      expect(Buffer.byteLength(message === undefined ? '' : bodyOf(message, form))).toBeLessThan(20_000);
    }
  });
});

describe('the message of a run', () => {
  const before = newsOf({ findings: [found(3)] }).heard;
  const twelveMore = newsOf({ findings: [found(15)], before }).events;

  it.each([
    [1, true],
    [12, true],
    [13, false],
    [null, false],
  ])('with the threshold %s and 12 more is sent: %s', (findings, isSent) => {
    expect(messageOf(twelveMore, notify({ findings })) !== undefined).toBe(isSent);
  });

  it.each([
    [false, '15 screens are stale, 12 more than the run before found. Among them: Lobby.'],
    [true, 'At least 15 screens are stale, 12 more than the run before found. Among them: Lobby.'],
  ])('counts a finding, of which there may be more: %s', (isLeast, says) => {
    const { events } = newsOf({ findings: [{ ...found(15), isLeast }], before });
    expect(messageOf(events, notify())?.text.split('\n')).toContain(says);
  });

  it('says what changed since the day before, and nothing of what is none or not known', () => {
    const news: News = {
      ...{ since, players: null },
      kinds: [
        ...[kind('player offline', 6), kind('screen stale', 0), kind('storage grew', null)],
        kind('player added', 2),
        kind('screen went off', 3, true),
      ],
      muted: { 'player offline': 1, 'player added': 2 },
    };
    const lagging = [{ source: 'munich', observedAt: '2026-11-22T03:00:00Z' }];
    const { events } = newsOf({ findings: [found(15)], before, news, lagging });
    const message = messageOf(events, notify());
    expect(message?.text).toContain(
      'Since 2026-11-22: player offline 5, screen went off at least 3; munich: as of 2026-11-22T03:00:00Z.',
    );
    expect(message?.news).toEqual([
      { news: 'player offline', count: 5, isLeast: false },
      { news: 'screen went off', count: 3, isLeast: true },
    ]);
  });

  it('is of a partial and a failed run whatever they found, of a complete one where all are wanted', () => {
    const quiet = (status: 'complete' | 'partial' | 'failed') =>
      runNews({
        installation: 'lab',
        head: { ...head, status },
        summary: summaryOf([], []),
        figures: { findings: [], news: NOTHING_NEW, lagging: [], muted: [] },
        before,
        report: 'x',
      }).events;
    const isSent = (runs: Notify['runs']) =>
      (['complete', 'partial', 'failed'] as const).filter((status) =>
        messageOf(quiet(status), notify({ runs, findings: null })),
      );
    expect([isSent('failed'), isSent('partial'), isSent('all')]).toEqual([
      ['failed'],
      ['partial', 'failed'],
      ['complete', 'partial', 'failed'],
    ]);
  });

  it.each([
    ['slack', '<!channel> *x*', '&lt;!channel&gt;'],
    ['teams', '[x](https://evil.example)', '\\\\[x\\\\](https://evil.example)'],
    ['json', 'a\u202Eb', 'a\\\\u202eb'],
  ] as const)('in the form %s lets a name steer nothing', (form, name, shown) => {
    const { events } = newsOf({ findings: [found(5, name)], before });
    const message = messageOf(events, notify());
    const body = message === undefined ? '' : bodyOf(message, form);
    expect(body).toContain(shown);
    if (form !== 'json') expect(body).not.toContain(name);
  });
});
