import type { Schedule } from '../lib/config/schedule.ts';

/** The number of metrics that the alarms watch, for which AWS charges. In this file, so that `estimate` loads no CDK. */
export function alarmMetrics({ lateAfterHours }: Schedule): number {
  return lateAfterHours === undefined ? 20 : 21;
}
