import type { Construct } from 'constructs';
import type { Schedule } from '../lib/config/schedule.ts';
import { addSchedule } from './add-schedule.ts';
import { allow } from './allow.ts';
import type { Pipeline } from './pipeline.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { WATCH } from './stages.ts';

interface Watched {
  readonly schedule: Schedule;
  readonly pipeline: Pipeline;
  readonly news: StageFunction;
}

/**
 * Adds a function that looks every hour how old the newest commit is, and whether anybody got a report of it. A metric of
 * commits cannot do that: before the first commit it has no data, as with a late run. It goes back only a week.
 */
export function addWatch(scope: Construct, installed: Installed, { schedule, pipeline, news }: Watched) {
  const { network, stateMachineArn } = pipeline;
  const environment = {
    LATE_AFTER_HOURS: String(schedule.lateAfterHours),
    STATE_MACHINE_ARN: stateMachineArn,
    NEWS_FUNCTION: news.function.functionName,
  };
  const watch = new StageFunction(scope, 'Watch', { ...installed, network, stage: WATCH, environment });
  allow(watch.role, { actions: 'lambda:InvokeFunction', resources: [news.function.functionArn] });
  addSchedule(scope, {
    name: `${installed.config.name}-watch`,
    description: 'Whether a run is late',
    says: 'Asks every hour whether a run is late',
    expression: 'rate(1 hour)',
    functionArn: watch.function.functionArn,
    input: {},
  });
  return watch;
}
