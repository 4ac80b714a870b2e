import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { readSchedule } from '#lib/config/schedule.ts';
import { estimate } from '#lib/estimate/monthly-cost.ts';
import { PRICES } from '#lib/estimate/prices.ts';
import { tableSizes } from '#lib/estimate/table-sizes.ts';
import { viewScans } from '#lib/estimate/view-scans.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { allStates, definitionText } from '../../infra/definition.ts';
import { memoryOf, NEWS, STAGES } from '../../infra/stages.ts';
import { someOf } from '../support/some-of.ts';

/** What the page says of each part. */
const PARTS: Readonly<Record<string, string>> = {
  lambda: 'Lambda',
  stepFunctions: 'Step Functions',
  s3Requests: 'S3 requests: puts, gets, lists',
  s3Storage: 'S3 storage: raw for 30 days, days for a year, old versions',
  egress: 'calls out to the APIs, 0.5 KB each',
  nat: 'NAT gateways',
  schedule: 'the schedule',
  logs: 'logs',
  dashboard: 'the dashboard',
  metricsAndAlarms: 'metrics, and alarms',
  secrets: 'secrets',
  news: 'news: page, events, message',
};

function installationOf(sources: number, players: number, schedule: string, more: object = {}) {
  const source = (name: string) => ({
    name,
    kind: 'signage',
    baseUrl: 'https://signage.example.com',
    secret: `signage/${name}`,
  });
  const names = Array.from({ length: sources }, (_, index) => `s${index}`);
  const config = parseConfig(
    JSON.stringify({ name: 'signage', schedule, sources: names.map(source), ...more }),
    'cost.config.json',
  );
  return {
    config,
    schedule: readSchedule(config, new Date('2026-11-22T03:00:00Z')),
    sizes: config.sources.map((each) => ({ source: each, parents: players })),
    recordsPerParent: 5,
  };
}

function estimated(...asked: Parameters<typeof installationOf>) {
  const installation = installationOf(...asked);
  const { config } = installation;
  return estimate({
    ...installation,
    stages: [...STAGES, NEWS].map((stage) => ({ name: stage.name, memoryMiB: memoryOf(stage, config) })),
    latencySeconds: 0.3,
  });
}

function tableOf({ monthly, totalUsd }: ReturnType<typeof estimated>): string {
  const lines = Object.entries(monthly)
    .filter(([, usd]) => usd > 0)
    .map(([part, usd]) => `| ${PARTS[part]} | ${usd.toFixed(2)} |`);
  return ['| USD a month | |', '|---|---|', ...lines, `| **total** | **${totalUsd.toFixed(0)}** |`].join(
    '\n',
  );
}

it.each([
  ['100 players, daily', 1, 100, 'cron(0 3 * * ? *)'],
  ['100 installations × 1,000 players, every 15 minutes', 100, 1000, 'rate(15 minutes)'],
])('docs/run/cost.md says what estimate says of %s', async (heading, sources, players, schedule) => {
  const page = await readFile('docs/run/cost.md', 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(heading));
  const { perRun } = estimated(sources, players, schedule);
  expect(section, 'copy the table from here').toContain(tableOf(estimated(sources, players, schedule)));
  const says = (section ?? '').replaceAll(',', '').replaceAll(/\s+/g, ' ');
  for (const count of [
    `${perRun.lambdas} Lambdas`,
    `${Math.round(perRun.gbSeconds)} GB-s`,
    `${perRun.transitions} transitions`,
    `${perRun.puts} objects`,
  ]) {
    expect(says).toContain(count);
  }
});

/** Bytes that a query of each view scans at most. */
async function scansOf(players: number, more: object = {}) {
  const bytes = tableSizes(installationOf(1, players, 'cron(0 3 * * ? *)', more));
  return viewScans(await readViews(QUERIES), bytes);
}

describe('what Athena scans for a view', () => {
  it('stands in docs/run/cost.md as estimate says it', async () => {
    const lines = (await scansOf(10_000))
      .filter(({ bytes }) => bytes > PRICES.athenaLeastBytes)
      .map(({ view, bytes, usd }) => `| ${view} | ${(bytes / 1e6).toFixed(0)} | ${usd.toFixed(4)} |`);
    expect(lines.length).toBeGreaterThan(3);
    const table = ['| a query of | MB at most | USD |', '|---|---|---|', ...lines].join('\n');
    expect(await readFile('docs/run/cost.md', 'utf8'), 'copy the table from here').toContain(table);
  });

  it('grows with the players and with the days that are kept, from what Athena asks at least', async () => {
    const [few, many, ofAMonth] = await Promise.all([
      scansOf(10),
      scansOf(20_000),
      scansOf(20_000, { dailyRetentionDays: 30 }),
    ]);
    const of = (scans: typeof few, name: string) => scans.find(({ view }) => view === name)?.bytes ?? 0;
    expect(of(few, 'player_health')).toBe(PRICES.athenaLeastBytes);
    expect(of(await scansOf(10_000), 'daily_trend') / of(many, 'daily_trend')).toBeCloseTo(0.5, 1);
    expect(of(ofAMonth, 'daily_trend') / of(many, 'daily_trend')).toBeCloseTo(30 / 365, 2);
  });

  it('counts every table that a view says it needs', async () => {
    const files = await readViews(QUERIES);
    const needed = files.flatMap(({ name, needs }) =>
      [...new Set(needs.map(({ table }) => table))].map((table) => ({ name, table })),
    );
    for (const { name, table } of someOf(needed)) {
      const names = [table, `${table}_daily`].map((each) => [each, 1e9] as const);
      const scan = viewScans(files, new Map(names)).find(({ view }) => view === name);
      expect(scan?.bytes, `${table} of ${name}`).toBeGreaterThanOrEqual(1e9);
    }
  });
});

it('counts each secret once, those of masks and of a webhook too, and that each run reads them', () => {
  const secretsOf = (more: object) => estimated(2, 100, 'rate(1 day)', more);
  const plain = secretsOf({});
  const both = secretsOf({ maskSecret: 'signage/mask', notify: { webhookSecret: 'signage/hook' } });
  const month = (both.monthly['secrets'] ?? 0) - (plain.monthly['secrets'] ?? 0);
  const reads = (both.perRun.units + 2) * both.runsAMonth;
  expect(month).toBeCloseTo(2 * PRICES.secretMonth + reads * PRICES.secretCall, 8);
  const sources = ['s0', 's1'].map((name) => ({
    ...{ name, kind: 'signage', baseUrl: 'https://signage.example.com', secret: 'signage/shared' },
  }));
  const shared = secretsOf({ sources });
  const less = (plain.monthly['secrets'] ?? 0) - (shared.monthly['secrets'] ?? 0);
  expect(less).toBeCloseTo(PRICES.secretMonth, 8);
});

it('counts the sources that the flow has under way at once', () => {
  const states = allStates(JSON.parse(definitionText()));
  const { state } = states.find(({ name }) => name === 'Sources') ?? {};
  const most = Number(state?.['MaxConcurrency']);
  const started = (sources: number) =>
    estimated(sources, 10, 'rate(1 day)').quotas.find(({ quota }) => quota.includes('children started'))
      ?.needed;
  expect([started(most - 1), started(most), started(most + 50)]).toEqual([most - 1, most, most]);
});

it('what is removed is paid for a day longer, and what a head replaced for 30 days', () => {
  const storage = (players: number, rawRetentionDays: number, dailyRetentionDays: number) =>
    estimated(1, players, 'rate(1 day)', { rawRetentionDays, dailyRetentionDays }).monthly['s3Storage'] ?? 0;
  const parts = [100_000, 300_000].map((players) => {
    const rawDay = storage(players, 31, 365) - storage(players, 30, 365);
    const tableDay = storage(players, 30, 366) - storage(players, 30, 365);
    return { rawDay, removed: storage(players, 30, 365) - 30 * rawDay - 365 * tableDay };
  });
  const [few, many] = parts;
  if (few === undefined || many === undefined) throw new Error('there are two');
  const overwritten = few.removed - few.rawDay;
  expect(many.removed - many.rawDay).toBeCloseTo(overwritten, 8);
  expect((many.removed - few.removed) / (many.rawDay - few.rawDay)).toBeCloseTo(1, 3);
  expect(overwritten).toBeCloseTo((30 * 30_000 * PRICES.s3GbMonth) / 1e9, 8);
});

it('a run of more than 100 sources asks them in waves, as docs/run/cost.md says', async () => {
  const minutesOf = (sources: number) => estimated(sources, 1000, 'rate(15 minutes)').perRun.seconds / 60;
  expect(minutesOf(100)).toBeLessThan(4);
  expect(await readFile('docs/run/cost.md', 'utf8')).toContain(
    `take ${Math.round(minutesOf(1000))} minutes a run`,
  );
});
