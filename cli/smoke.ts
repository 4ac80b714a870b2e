import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { deployedStack } from './deployed-stack.ts';
import { EXIT } from './exit.ts';
import { optionsOf } from './options.ts';
import { queryAthena } from './query-athena.ts';
import { say } from './say.ts';
import { textTable } from './text-table.ts';

/** How many sources are asked at once: a new account may run 10 Lambdas. */
const ASKED_AT_ONCE = 5;
/** CloudWatch notes what an alarm has sent within a second or two. */
const ALARM_PATIENCE_MS = 30_000;
const ASK_EVERY_MS = 1000;
/** So much may this machine's clock be ahead of CloudWatch's. */
const CLOCK_SKEW_MS = 10_000;

interface Tried {
  readonly what: string;
  readonly ok: boolean;
  /** What was seen, or what went wrong with its cure. */
  readonly says: string;
}

/** `smoke`: after a deploy, whether APIs are reached from AWS, an alarm is sent, and a reader's query answers. */
export function addSmoke(command: Command): void {
  command.action(async () => {
    const options = optionsOf(command, {});
    const config = await readConfig(options.config);
    const { listFunction } = await deployedStack(config);
    const tried = [
      ...(await sideBySide(config.sources, ASKED_AT_ONCE, ({ name }) => askSource(name, listFunction()))),
      await attempt('alarm', () => sendAlarm(config)),
      await attempt('query', () => queryAsReader(config)),
    ];
    if (options.json) say(JSON.stringify({ tried }));
    else
      say(
        textTable(
          ['', '', ''],
          tried.map(({ what, ok, says }) => [what, ok ? 'ok' : 'failed', says]),
        ),
      );
    process.exitCode = tried.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
  });
}

async function attempt(what: string, step: () => Promise<string>): Promise<Tried> {
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
const threw = z.object({ errorType: z.string(), errorMessage: z.string() });

async function askSource(source: string, FunctionName: string): Promise<Tried> {
  return await attempt(`source ${source}`, async () => {
    const { FunctionError, Payload } = await new LambdaClient().send(
      new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify({ smoke: source })) }),
    );
    const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null');
    if (FunctionError !== undefined) {
      const { errorType, errorMessage } = threw.parse(answer);
      throw Object.assign(new Error(errorMessage), { name: errorType });
    }
    const { resource, status, refused } = asked.parse(answer);
    if (refused === null) return `${resource} answered ${status}`;
    throw Object.assign(new Error(refused.message), { name: refused.code });
  });
}

/** Sets an alarm off by hand; it goes back to OK by itself. Throws where CloudWatch could not publish to the topic. */
async function sendAlarm({ name, alarmEmail, alarmTopicArn }: Config): Promise<string> {
  const AlarmName = `${name}-run-failed-count`;
  const client = new CloudWatchClient();
  const since = Date.now() - CLOCK_SKEW_MS;
  const StateReason = 'signage-export smoke: nothing is wrong, this only tries the alarm.';
  await client.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason }));
  const until = Date.now() + ALARM_PATIENCE_MS;
  while (Date.now() < until) {
    const { AlarmHistoryItems = [] } = await client.send(
      new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action' }),
    );
    const action = AlarmHistoryItems.find(
      ({ HistoryItemType, Timestamp }) => HistoryItemType === 'Action' && Number(Timestamp) >= since,
    );
    if (action?.HistorySummary?.startsWith('Successfully') === true) {
      const to = alarmTopicArn ?? alarmEmail;
      return to === undefined
        ? 'sent to the topic of the stack, to which nobody is subscribed: set alarmEmail'
        : `sent; look whether it has come to ${to}`;
    }
    if (action !== undefined) throw new Error(`${action.HistorySummary}: ${action.HistoryData}`);
    await sleep(ASK_EVERY_MS);
  }
  throw new Error(
    `${AlarmName} was set off, but CloudWatch noted no message within ${ALARM_PATIENCE_MS / 1000} s`,
  );
}

async function queryAsReader(config: Config): Promise<string> {
  const { rows } = await queryAthena(config, 'show tables');
  return rows.length === 0
    ? `answered; no run has made tables yet`
    : `answered, ${rows.length} tables and views`;
}
