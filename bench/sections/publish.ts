import { measure, serve } from '../child.ts';
import type { FloorArgument, FloorMeasured } from '../children/floor.ts';
import type { RunArgument, RunMeasured } from '../children/run.ts';
import type { Extent } from '../extent.ts';
import type { Figure } from '../figures.ts';

/** Plan and publish of many records, compared with DuckDB alone, which reads the records as NDJSON and writes them. */
export async function benchPublish({ isQuick, folder }: Extent): Promise<readonly Figure[]> {
  const players = isQuick ? 510 : 10_010;
  using server = await serve({ players, screensPerPlayer: 100, transfersPerPlayer: 0 });
  const lake = folder();
  const argument: RunArgument = { ...server, concurrency: 50, lake, at: '2026-11-20T03:00:00Z' };
  const run = await measure<RunMeasured>('run', argument);
  const floorArgument: FloorArgument = { lake };
  const floor = await measure<FloorMeasured>('floor', floorArgument);
  const name = `${floor.rows} records in ${players} bodies`;
  const seconds = run.phases.plan.seconds + run.phases.publish.seconds;
  return [
    {
      section: 'plan + publish',
      name,
      value: run.rows / seconds,
      unit: 'rows/s',
      ...(!isQuick && { goal: { of: 'value', least: 300_000 } }),
    },
    {
      section: 'plan + publish',
      name,
      value: seconds,
      unit: 's',
      floor: { name: 'DuckDB, NDJSON to Parquet', value: floor.seconds },
    },
    {
      section: 'file',
      name: 'screens',
      value: floor.bytesPerRow,
      unit: 'B/row',
      floor: { name: "DuckDB's own file", value: floor.bytesPerRow / floor.bytesRatio },
      goal: { of: 'ratio', most: 1.1 },
    },
    { section: 'memory', name: `whole run of ${name}`, value: run.peakMiB, unit: 'MiB' },
  ];
}
