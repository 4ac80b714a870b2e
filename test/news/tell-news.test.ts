import { expect, it, vi } from 'vitest';
import type { NewsEvent } from '#lib/news/events.ts';
import { changeNotes, noteTold, readNotes } from '#lib/news/notes.ts';
import { type NewsServices, tellNews } from '#lib/news/tell-news.ts';
import { temporaryLake } from '../support/temporary-lake.ts';
import { MACHINE } from './news-lab.ts';
import { webhookServer } from './support.ts';

const ended = {
  ...{ executionArn: 'arn:x', stateMachineArn: MACHINE, status: 'TIMED_OUT' },
  input: '{"runId":"20261123T030000Z","attempt":4}',
};

it('of two ways that fail each has its line in the log, and the next call tells them alone', async () => {
  await using place = await temporaryLake();
  await using server = await webhookServer([404]);
  const lines: string[] = [];
  using _ = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const published: NewsEvent[] = [];
  const topic: string[] = [];
  const sends = [
    async () => Promise.reject(new Error('no right for token-of-the-topic')),
    async (arn: string) => void topic.push(arn),
  ];
  const services = {
    ...{ lake: place.lake, stateMachineArn: MACHINE, now: () => new Date() },
    config: { name: 'lab', notify: { topicArn: 'arn:t', webhookSecret: 's', form: 'json', runs: 'failed' } },
    publish: async (each: readonly NewsEvent[]) => void published.push(...each),
    webhook: async () => ({ url: server.url, key: undefined }),
    sendToTopic: (arn: string) => sends.shift()?.(arn),
  } as unknown as NewsServices;
  await expect(tellNews(ended, services)).rejects.toThrow('no right');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { execution: 'arn:x', way: 'topic', error: { name: 'Error' } },
    { execution: 'arn:x', way: 'webhook', error: { code: 'WEBHOOK_REFUSED' } },
  ]);
  expect(lines.join()).not.toMatch(/token-of/);
  for (const _again of [1, 2]) await tellNews(ended, services);
  expect(published.map(({ type }) => type)).toEqual(['Run Failed']);
  expect(topic).toEqual(['arn:t']);
  const [refused, taken, ...more] = server.heard;
  expect(taken?.body).toBe(refused?.body);
  expect(taken?.headers['x-signage-export-id']).toBe('20261123T030000Z.4');
  expect(more).toEqual([]);
});

const of = { runId: '20261123T030000Z', attempt: 4 };
const heard = { findings: { 'stale-screens': 3 }, asks: [] };
const WAYS = ['events', 'topic', 'webhook'];

it('of notes that are made at the same time none is lost', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  await Promise.all([
    ...WAYS.map((way) => noteTold(lake, { of, way, heard })),
    changeNotes(lake, 'pages', () => ['2026-11-23']),
  ]);
  const note = { ...heard, attempts: ['20261123T030000Z.4'] };
  expect(await readNotes(lake)).toEqual({
    ways: Object.fromEntries(WAYS.map((way) => [way, note])),
    pages: ['2026-11-23'],
  });
});

it('a late note of an earlier run leaves that of the newest', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  for (const attempt of [5, 4]) await noteTold(lake, { of: { ...of, attempt }, way: 'events', heard });
  const { ways } = await readNotes(lake);
  expect(ways['events']?.attempts).toEqual(['20261123T030000Z.5', '20261123T030000Z.4']);
});
