import { Aws } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
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
    allow(this.watch.role, { actions: ['lambda:InvokeFunction'], resources: [told.functionArn] });
    const role = new Role(this, 'ScheduleRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      description: 'Asks every hour whether a run is late',
    });
    const { functionArn } = this.watch.function;
    allow(role, { actions: ['lambda:InvokeFunction'], resources: [functionArn] });
    const schedule = new CfnSchedule(this, 'Schedule', {
      name: `${config.name}-watch`,
      description: 'Whether a run is late',
      scheduleExpression: 'rate(1 hour)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: { arn: functionArn, roleArn: role.roleArn, input: '{}' },
    });
    schedule.node.addDependency(role);
  }

  /** Its errors: it fails if a run is late. */
  metric(): Metric {
    return this.watch.function.metricErrors({ statistic: 'Sum' });
  }
}
