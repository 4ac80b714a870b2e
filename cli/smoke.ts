import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
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

/** Sources that are called in parallel: a new account may run 10 Lambdas. */
const ASKED_AT_ONCE = 5;

export const addSmoke = commandOf({}, async (options) => {
  const config = await readConfig(options.config);
  const output = await deployedStack(config);
  const tried = [
    ...(await sideBySide(config.sources, ASKED_AT_ONCE, ({ name }) =>
      attempt(`source ${name}`, async () => {
        const answer = await invokeFunction(output('ListFunction'), { smoke: name });
        const { resource, status, refused } = asked.parse(answer);
        if (refused !== null) throw new ExportError(refused);
        return `${resource} answered ${status}`;
      }),
    )),
    await attempt('alarm', () => tryAlarm(config)),
    await attempt('query', async () => {
      const { rows } = await queryAthena(config, { sql: 'show tables' });
      if (rows.length === 0) return 'answered; no run has made tables yet';
      return `answered, ${counted(rows.length, 'table or view', 'tables and views')}`;
    }),
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

/** CloudWatch notes within a second or two what an alarm has sent. */
const PATIENCE_S = 30;
/** This machine's clock may be ahead of CloudWatch's by so much. */
const CLOCK_SKEW_MS = 10_000;

/** Sets an alarm off by hand and returns its receiver; it returns to OK by itself. Throws if nothing was sent. */
async function tryAlarm({ name, alarmTopicArn, alarmEmail }: Config): Promise<string> {
  const AlarmName = `${name}-run-failed-count`;
  const client = new CloudWatchClient();
  const since = Date.now() - CLOCK_SKEW_MS;
  const set = async (StateValue: 'OK' | 'ALARM', StateReason: string) =>
    await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason }));
  // An alarm acts when its state changes: one that already rings would send nothing.
  await set('OK', 'signage-export smoke: to try the alarm from its beginning.');
  await set('ALARM', 'signage-export smoke: nothing is wrong, this only tries the alarm.');
  for (let waited = 0; waited < PATIENCE_S; waited++) {
    const asked = new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action' });
    const { AlarmHistoryItems: items = [] } = await client.send(asked);
    const action = items.find(
      ({ HistoryItemType, Timestamp }) => HistoryItemType === 'Action' && Number(Timestamp) >= since,
    );
    if (action?.HistorySummary?.startsWith('Successfully'))
      return `sent; look whether it has come to ${alarmTopicArn ?? alarmEmail ?? 'those who subscribe to the topic of the stack: alarmEmail in the config is one'}`;
    if (action !== undefined) throw new Error(`${action.HistorySummary}: ${action.HistoryData}`);
    await sleep(1000);
  }
  throw new Error(`${AlarmName} was set off, but CloudWatch noted no message within ${PATIENCE_S} s`);
}
