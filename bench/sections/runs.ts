import { measure, serve } from '../child.ts';
import type { RunArgument, RunMeasured } from '../children/run.ts';
import type { Extent } from '../extent.ts';
import type { Figure } from '../figures.ts';

/** The memory of DuckDB, and that of the rest of the process. */
const PUBLISH_PEAK_MIB = 1024 + 300;

/** Whole runs with few players to many, and their greatest memory. */
export async function benchRuns({ isQuick, folder }: Extent): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  let least: number | undefined;
  for (const players of isQuick ? [210, 1010] : [1010, 10_010, 100_010]) {
    using server = await serve({ players, screensPerPlayer: 3, transfersPerPlayer: 10 });
    const argument: RunArgument = {
      ...server,
      concurrency: 50,
      lake: folder(),
      at: '2026-11-20T03:00:00Z',
    };
    const run = await measure<RunMeasured>('run', argument);
    least ??= run.collectPeakMiB;
    const name = `${players} players, ${run.rows} rows, 0 ms`;
    figures.push(
      { section: 'whole run', name, value: run.seconds, unit: 's' },
      { section: 'collect', name, value: run.collectSeconds, unit: 's' },
      { section: 'plan', name, value: run.planSeconds, unit: 's' },
      { section: 'publish', name, value: run.publishSeconds, unit: 's' },
      {
        section: 'memory',
        name: `collect, ${players} players`,
        value: run.collectPeakMiB,
        unit: 'MiB',
        floor: { name: 'that of the fewest players', value: least },
        goal: { of: 'ratio', most: 1.2 },
      },
      {
        section: 'memory',
        name: `whole run, ${players} players`,
        value: run.peakMiB,
        unit: 'MiB',
        goal: { of: 'value', most: PUBLISH_PEAK_MIB },
      },
    );
  }
  return figures;
}
