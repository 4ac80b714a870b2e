import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { readSchedule } from '#lib/config/schedule.ts';
import { estimate } from '#lib/estimate/monthly-cost.ts';
import { PRICES } from '#lib/estimate/prices.ts';
import { memoryOf, NEWS, STAGES } from '../../infra/stages.ts';

/** What the page says of each part. */
const PARTS: Readonly<Record<string, string>> = {
  lambda: 'Lambda',
  stepFunctions: 'Step Functions',
  s3: 'S3: requests; raw for 30 days, days for a year',
  network: 'calls out to the APIs, 0.5 KB each, and NAT gateways',
  watching: 'the dashboard, metrics, alarms, logs',
  secrets: 'secrets',
};

function installationOf(sources: number, players: number, schedule: string, more: object = {}) {
  const baseUrl = 'https://signage.example.com';
  const source = (name: string) => ({ name, kind: 'signage', baseUrl, secret: `signage/${name}` });
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
  const stages = [...STAGES, NEWS].map((stage) => ({ ...stage, memoryMiB: memoryOf(stage, config) }));
  return estimate({ ...installation, stages, latencySeconds: 0.3 });
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

it('counts each secret once, those of masks and of a webhook too', () => {
  const secretsOf = (more: object) => estimated(2, 100, 'rate(1 day)', more);
  const plain = secretsOf({});
  const both = secretsOf({ maskSecret: 'signage/mask', notify: { webhookSecret: 'signage/hook' } });
  const month = (both.monthly['secrets'] ?? 0) - (plain.monthly['secrets'] ?? 0);
  expect(month).toBeCloseTo(2 * PRICES.secretMonth, 8);
  const sources = ['s0', 's1'].map((name) => ({
    ...{ name, kind: 'signage', baseUrl: 'https://signage.example.com', secret: 'signage/shared' },
  }));
  const shared = secretsOf({ sources });
  const less = (plain.monthly['secrets'] ?? 0) - (shared.monthly['secrets'] ?? 0);
  expect(less).toBeCloseTo(PRICES.secretMonth, 8);
});

const limitOf = ({ limits }: ReturnType<typeof estimated>, about: string) =>
  limits.find(({ limit }) => limit.includes(about));

it('1,000 sources every 15 minutes cost at most 1,200 USD a month, 100 of 1,000 players at most 300', () => {
  expect(estimated(1000, 100, 'rate(15 minutes)').totalUsd).toBeLessThan(1200);
  expect(estimated(100, 1000, 'rate(15 minutes)').totalUsd).toBeLessThan(300);
});

it('says years before when a query of all days reaches its limit in Athena, and what moves it', () => {
  const near = (players: number, more: object = {}) =>
    limitOf(estimated(1, players, 'cron(0 3 * * ? *)', more), 'Athena');
  expect(near(10_000)).toMatchObject({ needed: 3, allowed: 10 });
  expect(near(100_000)).toMatchObject({ needed: 21, allowed: 10 });
  expect(near(100_000)?.cure).toContain('after 4.9 years');
  expect(near(100_000, { queryGiB: 50 })).toMatchObject({ allowed: 50 });
  expect(near(100_000, { dailyRetentionDays: 365 })).toMatchObject({ needed: 3 });
});

it('says how long the page of a fleet takes, and how long it may', () => {
  const page = limitOf(estimated(1, 1_000_000, 'cron(0 3 * * ? *)'), 'page');
  expect(page).toMatchObject({ needed: 412, allowed: NEWS.timeoutSeconds });
});

it('a run of more than 100 sources asks them in waves, as docs/run/cost.md says', async () => {
  const minutesOf = (sources: number) => estimated(sources, 1000, 'rate(15 minutes)').perRun.seconds / 60;
  expect(minutesOf(100)).toBeLessThan(4);
  expect(await readFile('docs/run/cost.md', 'utf8')).toContain(`take ${Math.round(minutesOf(1000))} minutes`);
});
