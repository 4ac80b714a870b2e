import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Config } from '#lib/config/config.ts';
import type { TriedAlarm } from './try-alarm.ts';

/** The deployed alarm of a failed run. */
export function deployedAlarm({ name }: Pick<Config, 'name'>): TriedAlarm {
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
      return AlarmHistoryItems.filter(({ HistoryItemType }) => HistoryItemType === 'Action').map(
        ({ Timestamp, HistorySummary = '', HistoryData = '' }) => ({
          ...{ at: new Date(Timestamp ?? 0), summary: HistorySummary, details: HistoryData },
        }),
      );
    },
    subscribers: async ({ summary, details }) => {
      const TopicArn = /arn:[\w-]+:sns:[\w-]+:\d+:[\w-]+/.exec(`${summary} ${details}`)?.[0];
      if (TopicArn === undefined) return undefined;
      try {
        const { Subscriptions = [] } = await new SNSClient().send(
          new ListSubscriptionsByTopicCommand({ TopicArn }),
        );
        return Subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn !== 'PendingConfirmation')
          .length;
      } catch {
        // The policy for operators has no right to read topics.
        return undefined;
      }
    },
  };
}
