import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError } from '#lib/errors.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { counted } from '#lib/text.ts';
import { deployedStack, invokeFunction } from './deployed.ts';
import { EXIT } from './exit.ts';
import { commandOf } from './options.ts';
import { queryAthena } from './query-athena.ts';
import { tell } from './say.ts';
import { textTable } from './text-table.ts';
import { type TriedAlarm, tryAlarm } from './try-alarm.ts';

/** Sources that are called in parallel: a new account may run 10 Lambdas. */
const ASKED_AT_ONCE = 5;

export const addSmoke = commandOf({}, async (options) => {
  const config = await readConfig(options.config);
  const { listFunction } = await deployedStack(config);
  const tried = [
    ...(await sideBySide(config.sources, ASKED_AT_ONCE, ({ name }) =>
      attempt(`source ${name}`, () => askSource(name, listFunction)),
    )),
    await attempt('alarm', () => tryAlarm(config, deployedAlarm(config))),
    await attempt('query', () => queryAsReader(config)),
  ];
  const rows = tried.map(({ what, ok, says }) => [what, ok ? 'ok' : 'failed', says]);
  tell(options, { tried }, textTable(['', '', ''], rows));
  process.exitCode = tried.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
});

/** What was seen, or what went wrong with its cure. */
async function attempt(what: string, step: () => Promise<string>) {
  try {
    return { what, ok: true, says: await step() };
  } catch (error) {
    return { what, ok: false, says: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' };
  }
}

const asked = z.object({
  resource: z.string(),
  status: z.number().nullable(),
  refused: z.object({ code: z.string(), message: z.string() }).nullable(),
});

async function askSource(source: string, listFunction: string): Promise<string> {
  const { resource, status, refused } = asked.parse(await invokeFunction(listFunction, { smoke: source }));
  if (refused === null) return `${resource} answered ${status}`;
  throw new ExportError(refused);
}

async function queryAsReader(config: Config): Promise<string> {
  const { rows } = await queryAthena(config, { sql: 'show tables' });
  return rows.length === 0
    ? 'answered; no run has made tables yet'
    : `answered, ${counted(rows.length, 'table or view', 'tables and views')}`;
}

function deployedAlarm({ name }: Pick<Config, 'name'>): TriedAlarm {
  const AlarmName = `${name}-run-failed-count`;
  const client = new CloudWatchClient();
  return {
    name: AlarmName,
    now: () => Date.now(),
    sleep,
    setState: async (StateValue, StateReason) => {
      await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason }));
    },
    actions: async () => {
      const { AlarmHistoryItems = [] } = await client.send(
        new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action' }),
      );
      const actions = AlarmHistoryItems.filter(({ HistoryItemType }) => HistoryItemType === 'Action');
      return actions.map(({ Timestamp, HistorySummary = '', HistoryData = '' }) => ({
        ...{ at: new Date(Timestamp ?? 0), summary: HistorySummary, details: HistoryData },
      }));
    },
    subscribers: async ({ summary, details }) => {
      const TopicArn = /arn:[\w-]+:sns:[\w-]+:\d+:[\w-]+/.exec(`${summary} ${details}`)?.[0];
      if (TopicArn === undefined) return undefined;
      // The policy for operators has no right to read topics.
      const found = await new SNSClient()
        .send(new ListSubscriptionsByTopicCommand({ TopicArn }))
        .catch(() => undefined);
      return found?.Subscriptions?.filter((each) => each.SubscriptionArn !== 'PendingConfirmation').length;
    },
  };
}
