import { expect, it } from 'vitest';
import type { Head } from '#lib/lake/head.ts';
import { runMetrics } from '#lib/lambda/run-metrics.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import type { Schema } from '#lib/schema/schema.ts';

const source = (status: string, coverage: number, ok: number) => ({
  name: `${status}${ok}`,
  status,
  coverage,
  outcomes: { ok, empty: 2 * ok, gone: 3, denied: 4, failed: 5 },
});
const head = { committedAt: '2026-11-21T03:10:00Z', scheduledAt: '2026-11-21T03:00:00Z' } as Head;
const summary = {
  sources: [source('complete', 1, 10), source('failed', 0.25, 1), source('partial', 0.9, 20)],
  tables: { players: { rows: 7 }, screens: { rows: 8 } },
  requests: 90,
  retries: 9,
  durationSeconds: 60,
} as unknown as RunSummary;
const schema = {
  tables: { players: { columns: [{ drift: [] }, { drift: ['berlin'] }] }, screens: { columns: [] } },
} as unknown as Schema;

it('the metrics of a run, by which its alarms ring, say what its summary says', () => {
  expect(runMetrics(head, { summary, schema })).toEqual({
    RunsCommitted: 1,
    SourcesBelowCoverage: 1,
    LowestCoveragePercent: 25,
    Requests: 90,
    Retries: 9,
    ListingsOk: 31,
    ListingsEmpty: 62,
    ListingsGone: 9,
    ListingsDenied: 12,
    ListingsFailed: 15,
    Rows: 15,
    ColumnsDrifting: 1,
    RunDurationSeconds: 60,
    LatenessSeconds: 600,
  });
});
