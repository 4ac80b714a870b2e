import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchor, RUNBOOK } from '../../infra/alarms.ts';
import { STAGES } from '../../infra/stages.ts';
import { ALARM_METRICS } from '../../lib/estimate/prices.ts';
import { cliHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { CONFIG_FILE, spelled, templateOf } from './synthesized.ts';

const { config, ofType } = templateOf();

it('the dashboard reads no log of a stage that is called for each source', () => {
  const [dashboard] = ofType('AWS::CloudWatch::Dashboard');
  const read = spelled(dashboard?.Properties['DashboardBody']).matchAll(/SOURCE '\/aws\/lambda\/([\w-]+)'/g);
  const names = [...read].map(([, name]) => name?.replace(`${config.name}-`, ''));
  expect(names).toEqual(['start', 'plan', 'publish', 'commit']);
});

it.each([
  ['cron(0 3 * * ? *)', 25, 28],
  ['cron(0 3 ? * FRI-MON *)', 96, 99],
  ['rate(12 hours)', 12, 15],
])(
  'a run that is late by %s is one thing to the alarm, to synth and to `estimate`',
  async (schedule, gap, late) => {
    const template = templateOf({ schedule });
    const all = (type: string) => JSON.stringify(template.ofType(type));
    expect(all('AWS::Scheduler::Schedule')).toContain(`"ScheduleExpression":"${schedule}"`);
    const names = all('AWS::CloudWatch::Alarm').match(/"AlarmName":"signage-run-late[^"]*"/g);
    expect(names).toEqual([`"AlarmName":"signage-run-late-${late}-hours"`]);
    const hours = all('AWS::Lambda::Function').match(/"LATE_AFTER_HOURS":"?\d+/g);
    expect(hours).toEqual([`"LATE_AFTER_HOURS":"${late}`]);
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.config.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(CONFIG_FILE, 'utf8')), schedule }));
    const { stdout } = await cliHere('estimate', '--json', '--config', file, '--lake', folder.path);
    expect(JSON.parse(stdout)).toMatchObject({ longestGapHours: gap, lateAfterHours: late });
  },
);

describe('the alarms', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const headings = readFileSync(RUNBOOK, 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchors = new Set([...headings].map(([, heading]) => anchor(heading ?? '')));

  it.each(alarms)('$id says where to read on', ({ Properties: { AlarmDescription } }) => {
    const [, link] = /docs\/run\/runbook\.md#(\S+)$/.exec(String(AlarmDescription)) ?? [];
    expect(anchors).toContain(link);
  });

  // None breaches by missing data: after a deployment there are none yet, and nothing is wrong.
  const HOUR_S = 3600;
  it.each([
    // A commit says it once: hours without a commit change nothing.
    ['columns-drifting-count', 'Maximum of ColumnsDrifting', 1, '1 of 1', 'ignore'],
    ['dead-letters-count', 'Maximum of ApproximateNumberOfMessagesVisible', 1, '1 of 1', 'notBreaching'],
    [
      'duration-near-limit-90-percent',
      'MAX(METRICS()): Maximum of Duration, Maximum of Duration, Maximum of Duration, Maximum of Duration, Maximum of Duration',
      810_000,
      '1 of 1',
      'notBreaching',
    ],
    ['news-not-told-count', 'Sum of Errors', 3, '1 of 1', 'notBreaching'],
    [
      'run-failed-count',
      'SUM(METRICS()): Sum of ExecutionsFailed, Sum of ExecutionsTimedOut, Sum of ExecutionsAborted',
      1,
      '1 of 1',
      'notBreaching',
    ],
    ['run-late-28-hours', 'Sum of Errors', 1, '1 of 3', 'missing and told'],
    ['run-skipped-by-lease-count', 'Sum of RunsSkippedByLease', 1, '1 of 1', 'notBreaching'],
    ['sources-below-coverage-count', 'Maximum of SourcesBelowCoverage', 1, '1 of 1', 'ignore'],
    [
      'throttles-count',
      `SUM(METRICS()): ${STAGES.map(() => 'Sum of Throttles').join(', ')}`,
      100,
      '1 of 1',
      'notBreaching',
    ],
  ])('%s watches %s, from %i on, in %s hours; missing data are %s', (name, watched, ...expected) => {
    const alarm = alarms.find(({ Properties }) => Properties['AlarmName'] === `signage-${name}`)?.Properties;
    const { Threshold, EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = alarm ?? {};
    const isTold = alarm?.['InsufficientDataActions'] !== undefined;
    expect([
      watchedBy(alarm ?? {}),
      Threshold,
      `${DatapointsToAlarm} of ${EvaluationPeriods}`,
      `${TreatMissingData}${isTold ? ' and told' : ''}`,
    ]).toEqual([watched, ...expected]);
    expect(alarm?.['ComparisonOperator']).toBe('GreaterThanOrEqualToThreshold');
    const periods = [...JSON.stringify(alarm).matchAll(/"Period":(\d+)/g)].map(([, period]) =>
      Number(period),
    );
    expect(new Set(periods)).toEqual(new Set([HOUR_S]));
  });

  it('look at as many metrics as `estimate` counts', () => {
    const metricsOf = ({ Metrics }: Readonly<Record<string, unknown>>) =>
      Array.isArray(Metrics) ? Metrics.filter((each) => 'MetricStat' in each).length : 1;
    const count = (those: typeof alarms) =>
      those.reduce((sum, { Properties }) => sum + metricsOf(Properties), 0);
    expect(count(alarms)).toBe(ALARM_METRICS);
  });

  it('reach an address where the config has one', () => {
    expect(ofType('AWS::SNS::Subscription')[0]?.Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    expect(templateOf({ alarmEmail: undefined }).ofType('AWS::SNS::Subscription')).toEqual([]);
  });
});

interface Watched {
  readonly Expression?: string;
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: { readonly MetricName: string }; readonly Stat: string };
  }[];
}

/** `Sum of Errors`, or an expression and the metrics that it is made of. */
function watchedBy(alarm: Watched): string {
  const { MetricName, Statistic, Metrics = [] } = alarm;
  if (MetricName !== undefined) return `${Statistic} of ${MetricName}`;
  const parts = Metrics.flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [`${MetricStat.Stat} of ${MetricStat.Metric.MetricName}`],
  );
  return `${Metrics.flatMap(({ Expression }) => Expression ?? []).join()}: ${parts.join(', ')}`;
}

it('an installation whose alarms nobody hears is warned by synth in one line, with the cure', () => {
  const warned = (settings: object) =>
    templateOf({ ...settings }).warnings.filter((says) => says.includes('nobody hears'));
  expect(warned({ alarmEmail: undefined })).toEqual([
    'alarmEmail and alarmTopicArn are missing in the config, so nobody hears an alarm: set one of them. [ack: signage-export:nobody-hears-alarms]',
  ]);
  expect(warned({})).toEqual([]);
  const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:ops';
  expect(warned({ alarmEmail: undefined, alarmTopicArn })).toEqual([]);
});

describe('what an alarm says', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const topics = ofType('AWS::SNS::Topic').map(({ id }) => `<${id}>`);

  it('goes to one topic of the stack, when it begins and when it ends', () => {
    expect(topics).toHaveLength(1);
    // As docs/run/deploy.md says: each says OK once after it was made.
    expect(alarms).toHaveLength(9);
    for (const { id, Properties } of alarms)
      for (const kind of ['AlarmActions', 'OKActions'])
        expect([Properties[kind]].flat().map(spelled), `${id} ${kind}`).toEqual(topics);
  });

  it('may be published there by CloudWatch for this account, in a policy that replaces the default of SNS', () => {
    const [policy, ...others] = ofType('AWS::SNS::TopicPolicy').map(({ Properties }) => Properties);
    expect([policy?.['Topics']].flat().map(spelled)).toEqual(topics);
    expect(others).toEqual([]);
    expect(policy?.['PolicyDocument']).toMatchObject({
      Statement: [
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        {
          ...{ Effect: 'Allow', Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' } },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
  });
});
