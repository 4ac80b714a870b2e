import type { Config } from '#lib/config/config.ts';

/** CloudWatch notes within a second or two what an alarm has sent. */
const PATIENCE_MS = 30_000;
const ASK_EVERY_MS = 1000;
/** This machine's clock may be ahead of CloudWatch's by so much. */
const CLOCK_SKEW_MS = 10_000;

export interface AlarmAction {
  readonly at: Date;
  readonly summary: string;
  readonly details: string;
}

export interface TriedAlarm {
  readonly name: string;
  readonly setState: (state: 'OK' | 'ALARM', reason: string) => Promise<void>;
  readonly actions: () => Promise<readonly AlarmAction[]>;
  /** The number of subscribers to that action's topic; undefined if the caller may not ask. */
  readonly subscribers: (action: AlarmAction) => Promise<number | undefined>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/**
 * Sets an alarm off by hand and reports its receivers; it returns to OK by itself. Throws if CloudWatch could
 * not publish to the topic, or if it has no subscriber.
 */
export async function tryAlarm(
  { alarmEmail, alarmTopicArn }: Pick<Config, 'alarmEmail' | 'alarmTopicArn'>,
  alarm: TriedAlarm,
): Promise<string> {
  const since = alarm.now() - CLOCK_SKEW_MS;
  // An alarm acts when its state changes: one that already rings would send nothing.
  await alarm.setState('OK', 'signage-export smoke: to try the alarm from its beginning.');
  await alarm.setState('ALARM', 'signage-export smoke: nothing is wrong, this only tries the alarm.');
  const until = alarm.now() + PATIENCE_MS;
  while (alarm.now() < until) {
    const action = (await alarm.actions()).find(({ at }) => at.getTime() >= since);
    if (action?.summary.startsWith('Successfully') === true) {
      const to = alarmTopicArn ?? alarmEmail;
      if (to !== undefined) return `sent; look whether it has come to ${to}`;
      const subscribers = (await alarm.subscribers(action)) ?? 0;
      if (subscribers > 0) return `sent to ${subscribers} who subscribe to the topic of the stack`;
      throw new Error(
        'The message was sent to the topic of the stack, but nobody is known to receive it: set alarmEmail, or name a topic as alarmTopicArn.',
      );
    }
    if (action !== undefined) throw new Error(`${action.summary}: ${action.details}`);
    await alarm.sleep(ASK_EVERY_MS);
  }
  throw new Error(
    `${alarm.name} was set off, but CloudWatch noted no message within ${PATIENCE_MS / 1000} s`,
  );
}
