/** Units as CloudWatch spells them. */
export type MetricUnit = 'Count' | 'Seconds' | 'Percent';

/** Every metric of signage-export with its unit. A metric costs 0.30 USD a month, also for each dimension. */
export const METRICS = {
  RunsCommitted: 'Count',
  RunsSkippedByLease: 'Count',
  SourcesBelowCoverage: 'Count',
  LowestCoveragePercent: 'Percent',
  Requests: 'Count',
  Retries: 'Count',
  ListingsOk: 'Count',
  ListingsEmpty: 'Count',
  ListingsGone: 'Count',
  ListingsDenied: 'Count',
  ListingsFailed: 'Count',
  Rows: 'Count',
  ColumnsDrifting: 'Count',
  RunDurationSeconds: 'Seconds',
  LatenessSeconds: 'Seconds',
} as const satisfies Readonly<Record<string, MetricUnit>>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMESPACE = 'SignageExport';
/** The only dimension. The table `runs` and the log line's properties have the figures of each source. */
export const METRIC_DIMENSION = 'Stack';

export interface MetricsLine {
  readonly stack: string;
  readonly at: Date;
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
  /** Fields that are searchable in the log but are not metrics. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * The log line from which CloudWatch makes these metrics.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricsLine({ stack, at, values, properties }: MetricsLine): string {
  const names = (Object.keys(values) as MetricName[]).filter((name) => Number.isFinite(values[name]));
  return JSON.stringify({
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: METRIC_NAMESPACE,
          Dimensions: [[METRIC_DIMENSION]],
          Metrics: names.map((name) => ({ Name: name, Unit: METRICS[name] })),
        },
      ],
    },
    ...properties,
    [METRIC_DIMENSION]: stack,
    ...Object.fromEntries(names.map((name) => [name, values[name]])),
  });
}

/** Writes metrics to the log. */
export function emitMetrics(line: MetricsLine): void {
  process.stdout.write(`${metricsLine(line)}\n`);
}
