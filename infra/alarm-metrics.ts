import type { Schedule } from '../lib/config/schedule.ts';

/** Metrics that the alarms look at: AWS counts these, not the alarms. In a file of its own, for `estimate` loads no CDK. */
export function alarmMetrics({ lateAfterHours }: Schedule): number {
  return lateAfterHours === undefined ? 19 : 20;
}
