import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { Schedule } from '../lib/config/schedule.ts';
import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from '../lib/runtime/metrics.ts';
import { counted } from '../lib/text.ts';
import type { News } from './news.ts';
import type { Pipeline } from './pipeline.ts';
import type { Watch } from './watch.ts';

/** The file with a heading for each alarm. */
export const RUNBOOK = 'docs/run/runbook.md';

const HOUR = Duration.hours(1);
/** In percent of Lambda's limit of 900 s. */
const NEAR_LIMIT_PERCENT = 90;
const NEAR_LIMIT_MS = 900_000 * (NEAR_LIMIT_PERCENT / 100);

interface AlarmForm {
  /** Ends with the unit of its threshold. */
  readonly name: string;
  /** Its heading in the runbook. */
  readonly heading: string;
  readonly says: string;
  readonly metric: IMetric;
  /** @default 1 */
  readonly threshold?: number;
  /** @default no alarm */
  readonly missing?: TreatMissingData;
  readonly periods?: number;
  /** How many of the periods must be over the threshold. @default all */
  readonly breaching?: number;
  /** True if missing data also send a message. @default false */
  readonly tellsMissing?: boolean;
}

export interface AlarmsProps {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly watch: Watch;
  readonly pipeline: Pipeline;
  readonly news: News;
}

/** The alarms that wake an operator, and the topic that they send to. */
export class Alarms extends Construct {
  readonly topic: ITopic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { config } = props;
    this.topic = topicOf(this, config);
    this.alarms = forms(props).map((form) => {
      const alarm = new Alarm(this, form.name, {
        alarmName: `${config.name}-${form.name}`,
        alarmDescription: `${form.says} See ${RUNBOOK}#${anchor(form.heading)}`,
        metric: form.metric,
        threshold: form.threshold ?? 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: form.periods ?? 1,
        datapointsToAlarm: form.breaching ?? form.periods ?? 1,
        treatMissingData: form.missing ?? TreatMissingData.NOT_BREACHING,
      });
      // The end of an alarm also sends a message, so that the operator knows that nothing is left to do.
      alarm.addAlarmAction(new SnsAction(this.topic));
      alarm.addOkAction(new SnsAction(this.topic));
      if (form.tellsMissing === true) alarm.addInsufficientDataAction(new SnsAction(this.topic));
      return alarm;
    });
  }
}

/** The config's `alarmTopicArn`, with its owner's policy, or a topic of the stack for `alarmEmail`. */
function topicOf(scope: Construct, { name, alarmEmail, alarmTopicArn }: Config): ITopic {
  if (alarmTopicArn !== undefined) return Topic.fromTopicArn(scope, 'Topic', alarmTopicArn);
  const topic = new Topic(scope, 'Topic', { displayName: `signage-export ${name}`, enforceSSL: true });
  // `enforceSSL` replaces the topic's default policy, so this adds the alarms' right to publish again.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}

/** The anchor that GitHub makes from a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}

/** A metric of our own. */
export function ownMetric(config: Config, metricName: MetricName, statistic: string, period = HOUR): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { [METRIC_DIMENSION]: config.name },
    statistic,
    period,
  });
}

function forms({ config, schedule, pipeline, watch, news }: AlarmsProps): readonly AlarmForm[] {
  const own = (name: MetricName, statistic: string) => ownMetric(config, name, statistic);
  return [
    {
      name: 'run-failed-count',
      heading: 'Alarm: run failed',
      says: 'An execution failed, timed out or was stopped.',
      metric: sumOf(
        ['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'].map((metricName) =>
          machineMetric(pipeline, metricName),
        ),
      ),
    },
    {
      name: `run-late-${schedule.lateAfterHours}-hours`,
      heading: 'Alarm: run late',
      says: `No run was committed for ${counted(schedule.lateAfterHours, 'hour')}, so the tables are older than the schedule promises.`,
      metric: watch.metric().with({ period: HOUR }),
      // `watch` looks every hour: three hours without a figure mean that it does not run, and this needs an alarm too.
      missing: TreatMissingData.MISSING,
      periods: 3,
      breaching: 1,
      tellsMissing: true,
    },
    {
      name: 'run-skipped-by-lease-count',
      heading: 'Alarm: run skipped by lease',
      says: 'A scheduled run was left out, because another run was still under way.',
      metric: own('RunsSkippedByLease', 'Sum'),
    },
    {
      name: 'sources-below-coverage-count',
      heading: 'Alarm: coverage below threshold',
      says: `A source gave less than ${config.minCoverage * 100} % of what its listings promised.`,
      metric: own('SourcesBelowCoverage', 'Maximum'),
      // A commit reports it once. It stays until a later commit is well.
      missing: TreatMissingData.IGNORE,
    },
    {
      name: 'columns-drifting-count',
      heading: 'Alarm: drift',
      says: 'Some values do not fit the type of their column. Their cells are null, and the values are in rejects.',
      metric: own('ColumnsDrifting', 'Maximum'),
      missing: TreatMissingData.IGNORE,
    },
    {
      name: 'dead-letters-count',
      heading: 'Alarm: dead letters',
      says: 'A start could not be delivered or failed three times, so its run is missing.',
      metric: pipeline.deadLetters.metricApproximateNumberOfMessagesVisible({
        period: HOUR,
        statistic: 'Maximum',
      }),
    },
    {
      name: 'news-not-told-count',
      heading: 'Alarm: news not told',
      says: 'The page, an event or a message of a run could not be put or sent; the tables are not concerned.',
      metric: news.metric().with({ period: HOUR }),
      // Lambda tries it three times.
      threshold: 3,
    },
    {
      name: 'throttles-count',
      heading: 'Alarm: throttles',
      says: 'Lambda refused a stage a hundred times in an hour for want of concurrency; the run waits and takes longer.',
      metric: sumOf(functionMetrics(pipeline, 'Throttles', 'Sum')),
      threshold: 100,
    },
    {
      name: `duration-near-limit-${NEAR_LIMIT_PERCENT}-percent`,
      heading: 'Alarm: duration near the limit',
      says: 'A stage that cannot hand its rest to another call took more than 810 of the 900 seconds that Lambda gives.',
      metric: new MathExpression({
        expression: 'MAX(METRICS())',
        usingMetrics: named(
          functionMetrics(pipeline, 'Duration', 'Maximum', ['list', 'sweep', 'plan', 'publish', 'commit']),
        ),
        period: HOUR,
      }),
      threshold: NEAR_LIMIT_MS,
    },
  ];
}

/** A metric that Step Functions writes for the state machine. */
export function machineMetric({ stateMachineArn }: Pipeline, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/States',
    metricName,
    dimensionsMap: { StateMachineArn: stateMachineArn },
    statistic: 'Sum',
    period: HOUR,
  });
}

/** A metric that Lambda writes, one for each stage's function or for the named stages. */
export function functionMetrics(
  { stages }: Pipeline,
  metricName: string,
  statistic: string,
  names: readonly string[] = Object.keys(stages),
): readonly Metric[] {
  return Object.entries(stages)
    .filter(([name]) => names.includes(name))
    .map(([name, stage]) => stage.function.metric(metricName, { statistic, period: HOUR, label: name }));
}

function sumOf(metrics: readonly Metric[]): MathExpression {
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics: named(metrics), period: HOUR });
}

function named(metrics: readonly Metric[]): Record<string, IMetric> {
  return Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
}
