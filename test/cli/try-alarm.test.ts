import { expect, it } from 'vitest';
import { type AlarmAction, type TriedAlarm, tryAlarm } from '../../cli/try-alarm.ts';

/** An alarm as CloudWatch has them: it acts when its state changes, and notes it a second later. */
function alarmIn(state: string, more: Partial<TriedAlarm> = {}, summary = 'Successfully executed action') {
  let [now, held] = [1_000_000, state];
  const noted: AlarmAction[] = [];
  const alarm: TriedAlarm = {
    name: 'lab-run-failed-count',
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    setState: async (next) => {
      if (next !== held && next === 'ALARM') noted.push({ at: new Date(now + 500), summary, details: 'why' });
      held = next;
    },
    actions: async () => noted.filter(({ at }) => at.getTime() <= now),
    subscribers: async () => 0,
    ...more,
  };
  return alarm;
}
const email = { alarmEmail: 'ops@example.com' };

it.each(['OK', 'INSUFFICIENT_DATA', 'ALARM'])('an alarm that was in %s is sent', async (state) => {
  expect(await tryAlarm(email, alarmIn(state))).toBe('sent; look whether it has come to ops@example.com');
});

it('fails where the topic cannot be published to, and where nothing is noted', async () => {
  const refused = alarmIn('OK', {}, 'Failed to execute action');
  await expect(tryAlarm(email, refused)).rejects.toThrow('Failed to execute action: why');
  const silent = alarmIn('OK', { actions: async () => [] });
  await expect(tryAlarm(email, silent)).rejects.toThrow('noted no message within 30 s');
});

it('fails where nobody subscribes, as far as the caller may see', async () => {
  for (const count of [0, undefined]) {
    const lonely = alarmIn('OK', { subscribers: async () => count });
    await expect(tryAlarm({}, lonely)).rejects.toThrow('set alarmEmail');
  }
  const heard = alarmIn('OK', { subscribers: async () => 2 });
  expect(await tryAlarm({}, heard)).toBe('sent to 2 who subscribe to the topic of the stack');
});
