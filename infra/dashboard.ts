import { Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryWidget,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '../lib/runtime/metrics.ts';
import { functionMetrics, machineMetric, ownMetric, RUNBOOK } from './alarms.ts';
import type { Pipeline } from './pipeline.ts';
import type { Queried } from './rights.ts';
import type { StageName } from './stages.ts';

type Shown = Pick<Queried, 'config'> & { readonly pipeline: Pipeline; readonly alarms: readonly Alarm[] };

const DAY = Duration.days(1);

/**
 * The logs of the stages that a run calls a few times. Each refresh reads all 14 days. A stage that is called for
 * each source would make that 5 GB with 1,000 sources, and 1,000 USD a month on a screen that asks each minute.
 */
const STAGES_OF_RUNS = ['start', 'plan', 'publish', 'commit'] as const satisfies readonly StageName[];

/** Adds a dashboard: whether the runs end well, the tables are fresh and whole, and what grows. */
export function addDashboard(scope: Construct, { config, pipeline, alarms }: Shown): void {
  const own = (statistic: string, names: readonly MetricName[]): IMetric[] =>
    names.map((name) => ownMetric(config, name, statistic, DAY));
  const sum = (...names: readonly MetricName[]) => own('Sum', names);
  const most = (...names: readonly MetricName[]) => own('Maximum', names);
  const ofStages = (name: string, statistic: string) => functionMetrics(pipeline.stages, name, statistic);
  const least = own('Minimum', ['LowestCoveragePercent']);
  const unread = sum('ListingsDenied', 'ListingsFailed', 'ListingsGone');
  const failed = machineMetric(pipeline, 'ExecutionsFailed');
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ title, left, right, width: 8, leftYAxis: { min: 0 } });
  new Dashboard(scope, 'Dashboard', {
    // An account has each name of a dashboard once, not once in each region.
    dashboardName: `${config.name}-export-${Stack.of(scope).region}`,
    defaultInterval: Duration.days(14),
    widgets: [
      [
        new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 16, height: 4 }),
        new TextWidget({
          markdown: `**${config.name}**, ${config.schedule} ${config.timeZone}\n\nWhat to do: ${RUNBOOK}\n\nPer source: \`select * from runs\` in Athena, workgroup \`${config.name}\``,
          ...{ width: 8, height: 4 },
        }),
      ],
      [
        new SingleValueWidget({
          title: 'Newest run',
          metrics: [...least, ...most('Rows', 'LatenessSeconds', 'ColumnsDrifting')],
          ...{ width: 24, height: 3 },
        }),
      ],
      [
        graph('Runs', [...sum('RunsCommitted'), failed, ...sum('RunsSkippedByLease')]),
        graph('Coverage, lowest source (%)', least),
        graph('Seconds from due to committed', most('LatenessSeconds', 'RunDurationSeconds')),
      ],
      [
        graph('Listings denied or failed', unread, sum('ListingsOk', 'ListingsEmpty')),
        graph('Calls', sum('Requests'), sum('Retries')),
        graph('Rows in the newest tables', most('Rows')),
      ],
      [
        graph('Longest stage (ms)', ofStages('Duration', 'Maximum')),
        graph('Errors of stages', ofStages('Errors', 'Sum')),
        graph('Throttles', ofStages('Throttles', 'Sum')),
      ],
      [
        new LogQueryWidget({
          title: 'Newest errors of a whole run; those of a source are in the table runs',
          logGroupNames: STAGES_OF_RUNS.map((stage) => `/aws/lambda/${config.name}-${stage}`),
          queryLines: [
            'filter level = "error"',
            'fields @timestamp, stage, run, source, error.code, error.says',
            'sort @timestamp desc',
            'limit 20',
          ],
          width: 24,
        }),
      ],
    ],
  });
}
