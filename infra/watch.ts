import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { addSchedule } from './add-schedule.ts';
import { allow } from './allow.ts';
import type { News } from './news.ts';
import type { Pipeline } from './pipeline.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { WATCH } from './stages.ts';

export interface WatchProps extends Installed {
  readonly pipeline: Pipeline;
  readonly lateAfterHours: number;
  readonly news: News;
}

/**
 * A function that looks every hour how old the newest commit is, and whether anybody got a report of it. A metric of
 * commits cannot do that: before the first commit it has no data, as with a late run. It goes back only a week.
 */
export class Watch extends Construct {
  private readonly watch: StageFunction;

  constructor(scope: Construct, id: string, props: WatchProps) {
    super(scope, id);
    const { config, lateAfterHours, news } = props;
    const { network, stateMachineArn } = props.pipeline;
    const told = news.news.function;
    const environment = {
      LATE_AFTER_HOURS: String(lateAfterHours),
      STATE_MACHINE_ARN: stateMachineArn,
      NEWS_FUNCTION: told.functionName,
    };
    this.watch = new StageFunction(this, 'Watch', { ...props, network, stage: WATCH, environment });
    allow(this.watch.role, { actions: 'lambda:InvokeFunction', resources: [told.functionArn] });
    addSchedule(this, {
      name: `${config.name}-watch`,
      description: 'Whether a run is late',
      says: 'Asks every hour whether a run is late',
      expression: 'rate(1 hour)',
      functionArn: this.watch.function.functionArn,
      input: {},
    });
  }

  /** Its errors: it fails if a run is late. */
  metric(): Metric {
    return this.watch.function.metricErrors({ statistic: 'Sum' });
  }
}
