/** Units as CloudWatch spells them. */
export type MetricUnit = 'Count' | 'Seconds' | 'Percent';

/** Every metric that signage-export writes, with its unit. A metric costs 0.30 USD a month, a dimension as many again. */
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
/** The only dimension: per-source figures are in the table runs and in the properties of the log line. */
export const METRIC_DIMENSION = 'Stack';

export interface MetricsLine {
  readonly stack: string;
  readonly at: Date;
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
  /** Searchable in the log, no metrics. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * The line of log that CloudWatch makes these metrics of.
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
