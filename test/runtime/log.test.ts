import { describe, expect, it } from 'vitest';
import { ExportError } from '#lib/errors.ts';
import { describeError } from '#lib/runtime/log.ts';
import { metricsLine } from '#lib/runtime/metrics.ts';

describe('what a stage logs', () => {
  it('keeps of a foreign error its name and place alone, for its message may quote a secret', () => {
    const foreign = Object.assign(new TypeError('bad header X-API-Key: hunter2'), {
      request: { headers: { 'X-API-Key': 'hunter2' } },
    });
    const error = new ExportError({ code: 'LAKE_FULL', message: 'No space.', cause: foreign });
    const described = describeError(error);
    expect(described).toMatchObject({ code: 'LAKE_FULL', says: 'No space.', cause: { name: 'TypeError' } });
    expect(JSON.stringify(described)).not.toContain('hunter2');
  });

  it('writes metrics in the embedded format with the stack as the one dimension', () => {
    const line = JSON.parse(
      metricsLine({
        stack: 'signage',
        at: new Date(1000),
        values: { Rows: 5, RunDurationSeconds: Number.NaN, LatenessSeconds: 7.5 },
        properties: { run: 'r', sources: [{ name: 'berlin' }] },
      }),
    );
    const Metrics = [
      { Name: 'Rows', Unit: 'Count' },
      { Name: 'LatenessSeconds', Unit: 'Seconds' },
    ];
    expect(line).toEqual({
      _aws: {
        Timestamp: 1000,
        CloudWatchMetrics: [{ Namespace: 'SignageExport', Dimensions: [['Stack']], Metrics }],
      },
      ...{ run: 'r', sources: [{ name: 'berlin' }], Stack: 'signage', Rows: 5, LatenessSeconds: 7.5 },
    });
  });
});
