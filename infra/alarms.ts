import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type CreateAlarmOptions,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from '../lib/runtime/metrics.ts';
import { counted } from '../lib/text.ts';
import type { Watched } from './add-schedule.ts';
import type { Pipeline } from './pipeline.ts';
import type { StageFunction } from './stage-function.ts';

/** The file with a heading for each alarm. */
export const RUNBOOK = 'docs/run/runbook.md';

const HOUR = Duration.hours(1);
/** In percent of Lambda's limit of 900 s. */
const NEAR_LIMIT_PERCENT = 90;
const NEAR_LIMIT_MS = 900_000 * (NEAR_LIMIT_PERCENT / 100);

/** What tells it from the other alarms; else one hour with 1 or more is an alarm, and missing data are none. */
interface AlarmForm extends Partial<CreateAlarmOptions> {
  /** Its heading in the runbook. @default its name without the unit */
  readonly heading?: string;
  readonly says: string;
  readonly metric: IMetric;
  /** True if missing data also send a message. @default false */
  readonly tellsMissing?: boolean;
}

type AlarmsProps = Watched & { readonly watch: StageFunction; readonly pipeline: Pipeline };

/** Adds the alarms that wake an operator, and the topic that they send to. */
export function addAlarms(scope: Construct, props: AlarmsProps): { topic: ITopic; alarms: Alarm[] } {
  const topic = topicOf(scope, props.config);
  const tell = new SnsAction(topic);
  const alarms = Object.entries(forms(props)).map(([name, each]) => {
    const { heading = name.replace(/(-\d+)?-[a-z]+$/, ''), says, tellsMissing, ...form } = each;
    const alarm = new Alarm(scope, name, {
      ...{ threshold: 1, evaluationPeriods: 1, datapointsToAlarm: 1 },
      treatMissingData: TreatMissingData.NOT_BREACHING,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      alarmName: `${props.config.name}-${name}`,
      alarmDescription: `${says} See ${RUNBOOK}#${anchor(`Alarm: ${heading}`)}`,
      ...form,
    });
    // The end of an alarm also sends a message, so that the operator knows that nothing is left to do.
    alarm.addAlarmAction(tell);
    alarm.addOkAction(tell);
    if (tellsMissing) alarm.addInsufficientDataAction(tell);
    return alarm;
  });
  return { topic, alarms };
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

const ENDED_BADLY = ['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'];
const SUM = { period: HOUR, statistic: 'Sum' };
const LARGEST = { period: HOUR, statistic: 'Maximum' };
/** Their forms by their names, which end with the unit of the threshold. */
function forms(props: AlarmsProps): Readonly<Record<string, AlarmForm>> {
  const { config, schedule, pipeline, watch, news } = props;
  const own = (name: MetricName, statistic: string) => ownMetric(config, name, statistic);
  // These two hand their rest to another call, or have a limit of their own.
  const { start: _start, collect: _collect, ...inOneCall } = pipeline.stages;
  const endedBadly = ENDED_BADLY.map((metricName) => machineMetric(pipeline, metricName));
  return {
    'run-failed-count': {
      says: 'An execution failed, timed out or was stopped.',
      metric: together('SUM', endedBadly),
    },
    [`run-late-${schedule.lateAfterHours}-hours`]: {
      says: `No run was committed for ${counted(schedule.lateAfterHours, 'hour')}, so the tables are older than the schedule promises.`,
      metric: watch.function.metricErrors(SUM),
      // `watch` looks every hour: three hours without a figure mean that it does not run, and this needs an alarm too.
      treatMissingData: TreatMissingData.MISSING,
      evaluationPeriods: 3,
      tellsMissing: true,
    },
    'run-skipped-by-lease-count': {
      says: 'A scheduled run was left out, because another run was still under way.',
      metric: own('RunsSkippedByLease', 'Sum'),
    },
    'sources-below-coverage-count': {
      heading: 'coverage below threshold',
      says: `A source gave less than ${config.minCoverage * 100} % of what its listings promised.`,
      metric: own('SourcesBelowCoverage', 'Maximum'),
      // A commit reports it once. It stays until a later commit is well.
      treatMissingData: TreatMissingData.IGNORE,
    },
    'columns-drifting-count': {
      heading: 'drift',
      says: 'Some values do not fit the type of their column. Their cells are null, and the values are in rejects.',
      metric: own('ColumnsDrifting', 'Maximum'),
      treatMissingData: TreatMissingData.IGNORE,
    },
    'dead-letters-count': {
      says: 'A start could not be delivered or failed three times, so its run is missing.',
      metric: pipeline.deadLetters.metricApproximateNumberOfMessagesVisible(LARGEST),
    },
    'news-not-told-count': {
      says: 'The page, an event or a message of a run could not be put or sent; the tables are not concerned.',
      metric: news.function.metricErrors(SUM),
      // Lambda tries it three times.
      threshold: 3,
    },
    'throttles-count': {
      says: 'Lambda refused a stage a hundred times in an hour for want of concurrency; the run waits and takes longer.',
      metric: together('SUM', functionMetrics(pipeline.stages, 'Throttles', 'Sum')),
      threshold: 100,
    },
    [`duration-near-limit-${NEAR_LIMIT_PERCENT}-percent`]: {
      heading: 'duration near the limit',
      says: 'A stage that cannot hand its rest to another call took more than 810 of the 900 seconds that Lambda gives.',
      metric: together('MAX', functionMetrics(inOneCall, 'Duration', 'Maximum')),
      threshold: NEAR_LIMIT_MS,
    },
  };
}

/** A metric that Step Functions writes for the state machine. */
export function machineMetric({ stateMachineArn }: Pipeline, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/States',
    metricName,
    dimensionsMap: { StateMachineArn: stateMachineArn },
    ...SUM,
  });
}

/** A metric that Lambda writes, one for the function of each of these stages. */
export function functionMetrics(stages: Partial<Pipeline['stages']>, metricName: string, statistic: string) {
  return Object.entries(stages).map(([label, stage]) =>
    stage.function.metric(metricName, { statistic, period: HOUR, label }),
  );
}

function together(expression: 'SUM' | 'MAX', metrics: readonly Metric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: `${expression}(METRICS())`, usingMetrics, period: HOUR });
}
