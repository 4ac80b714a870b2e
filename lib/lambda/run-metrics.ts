import type { Head } from '../lake/head.ts';
import type { RunSummary } from '../run/summary.ts';
import type { MetricName } from '../runtime/metrics.ts';
import type { Schema } from '../schema/schema.ts';

/** The metrics of a committed run. */
export function runMetrics(
  head: Head,
  { summary, schema }: { readonly summary: RunSummary; readonly schema: Schema },
): Readonly<Partial<Record<MetricName, number>>> {
  const { sources } = summary;
  const outcomes = (name: keyof (typeof sources)[number]['outcomes']) =>
    sources.reduce((sum, source) => sum + source.outcomes[name], 0);
  const columns = Object.values(schema.tables).flatMap((table) => table.columns);
  return {
    RunsCommitted: 1,
    SourcesBelowCoverage: sources.filter(({ status }) => status === 'failed').length,
    ...(sources.length > 0 && {
      LowestCoveragePercent: 100 * Math.min(...sources.map(({ coverage }) => coverage)),
    }),
    Requests: summary.requests,
    Retries: summary.retries,
    ListingsOk: outcomes('ok'),
    ListingsEmpty: outcomes('empty'),
    ListingsGone: outcomes('gone'),
    ListingsDenied: outcomes('denied'),
    ListingsFailed: outcomes('failed'),
    Rows: Object.values(summary.tables).reduce((sum, { rows }) => sum + rows, 0),
    ColumnsDrifting: columns.filter(({ drift }) => drift.length > 0).length,
    RunDurationSeconds: summary.durationSeconds,
    LatenessSeconds: (Date.parse(head.committedAt) - Date.parse(head.scheduledAt)) / 1000,
  };
}
