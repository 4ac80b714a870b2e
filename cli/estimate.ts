import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { readSchedule } from '#lib/config/schedule.ts';
import { SOURCES_AT_ONCE } from '#lib/estimate/limits.ts';
import { type Estimate, estimate } from '#lib/estimate/monthly-cost.ts';
import { PRICES } from '#lib/estimate/prices.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { storedRaw } from '#lib/run/raw-of-run.ts';
import { asksUntil } from '#lib/run/run-record.ts';
import { readSummary } from '#lib/run/summary.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import { DEADLINE_MS } from '#lib/start/start.ts';
import { allOf, counted } from '#lib/text.ts';
import { memoryOf, NEWS, STAGES } from '../infra/stages.ts';
import { openLake } from './local-services.ts';
import { commandOf, MOST_PLAYERS, numberOption, ofStack, option, wholeOption } from './options.ts';
import { tell } from './say.ts';
import { textTable } from './text-table.ts';

/** Players of a source that no run has listed yet. */
const ASSUMED_PLAYERS = 100;
const MONTH_SECONDS = 30 * 86_400;

const OPTIONS = {
  players: option(
    '<n>',
    'players of each installation, instead of what the last run listed; other parents in proportion',
    wholeOption(0, MOST_PLAYERS).optional(),
  ),
  latency: option('<seconds>', 'the time that the API takes for an answer', numberOption(0.001, 3600), '0.3'),
  records: option('<n>', 'screens, transfers and other records of a player', numberOption(0, 1_000_000), '5'),
  deployed: ofStack('by the last run of the deployed stack'),
};

export const addEstimate = commandOf(OPTIONS, async (options) => {
  const config = await readConfig(options.config);
  const schedule = readSchedule(config, new Date());
  const lake = await openLake(options.lake);
  const sizes = await sizesOf(config, lake, options.players);
  const result = estimate({
    config,
    schedule,
    sizes,
    stages: [...STAGES, NEWS].map((stage) => ({ ...stage, memoryMiB: memoryOf(stage, config) })),
    latencySeconds: options.latency,
    recordsPerParent: options.records,
  });
  tell(options, result, describe(result, { config, sizes }).join('\n'));
});

async function sizesOf(config: Config, lake: Lake, players: number | undefined) {
  const head = players === undefined ? (await readHead(lake))?.head : undefined;
  const last = head === undefined ? undefined : await readSummary(lake, head);
  const raw = head === undefined ? [] : await storedRaw(lake, { runId: head.runId });
  return config.sources.map((source) => {
    const listed = last?.sources.find(({ name }) => name === source.name)?.listed;
    const parents = listed ?? kindNamed(source.kind).parentsOf(players ?? ASSUMED_PLAYERS);
    const left = raw.filter((each) => each.source === source.name);
    return { source, parents, rawBytes: new Map(left.map(({ resource, bytes }) => [resource, bytes])) };
  });
}

type Asked = Pick<Parameters<typeof estimate>[0], 'config' | 'sizes'>;

function describe(result: Estimate, { config, sizes }: Asked): readonly string[] {
  const { perRun, runsAMonth: runs, longestGapMinutes, lateAfterHours, monthly, limits } = result;
  const listed = sizes.reduce((sum, { parents }) => sum + parents, 0);
  const number = listed === 1 ? 'one' : 'many';
  const parents = new Set(sizes.map(({ source }) => kindNamed(source.kind).parents[number]));
  const waves = Math.ceil(sizes.length / SOURCES_AT_ONCE);
  const inWaves = waves > 1 ? `, in ${waves} waves of ${SOURCES_AT_ONCE} sources` : '';
  return [
    `${listed} ${allOf([...parents])} in ${counted(sizes.length, 'source')}`,
    `A run: ${counted(perRun.calls, 'call')}, about ${duration(perRun.seconds)}${inWaves}; ${counted(perRun.lambdas, 'Lambda')}, ${Math.round(perRun.gbSeconds)} GB-s, ${counted(perRun.transitions, 'transition')}, ${counted(perRun.puts, 'object')} put, ${perRun.gets} got`,
    `${counted(Number(runs.toFixed(runs < 10 ? 1 : 0)), 'run')} in 30 days, ${duration(longestGapMinutes * 60)} apart at most; an alarm if none is committed for ${lateAfterHours} h`,
    ...warnings(perRun, config, MONTH_SECONDS / runs),
    ...limits
      .filter(({ needed, allowed }) => needed > allowed)
      .map(
        ({ limit, needed, allowed, cure }) =>
          `warning: ${limit}: ${needed} are needed, ${allowed} allowed. ${cure}`,
      ),
    '',
    textTable(
      ['a month', 'USD'],
      Object.entries({ ...monthly, total: result.totalUsd }).map(([name, amount]) => [
        name,
        amount.toFixed(2),
      ]),
    ),
    '',
    textTable(
      ['a limit', 'needed', 'allowed'],
      limits.map(({ limit, needed, allowed }) => [limit, String(needed), String(allowed)]),
    ),
    '',
    `Prices of ${result.asOf}, ${PRICES.region}, without free tiers; the counts are those of a good run, the rest is by formula within a fifth (docs/run/cost.md).`,
  ];
}

/** Warnings if a run has no time for all its calls, or is under way when the next is due. */
function* warnings({ seconds, askSeconds }: Estimate['perRun'], config: Config, between: number) {
  const deadline = new Date(DEADLINE_MS).toISOString();
  const most = asksUntil({ deadline, config }).getTime() / 1000;
  if (askSeconds > most)
    yield `warning: a run asks its sources for ${duration(most)} (${duration(DEADLINE_MS / 1000)} less publishHours), but all calls take ${duration(askSeconds)}: a source that is not done is published as partial. Raise requestsPerSecond or concurrency if the API bears it, or split the source.`;
  if (seconds - Math.max(0, askSeconds - most) > between)
    yield `warning: a run takes longer than the ${duration(between)} between two starts, so some starts are skipped: schedule fewer.`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Number((seconds / 3600).toFixed(1))} h`;
}
