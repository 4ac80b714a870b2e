import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure, serve } from '../../bench/child.ts';
import type { RunArgument, RunMeasured } from '../../bench/children/run.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const PLAYERS = 100_001;
const SCREENS = 3;
const TRANSFERS = 11;
/** Calls for further application groups, and in each of a dozen batches for more of the longest lists of transfers. */
const MOST_TRIES = 3 + 12 * 3;
/** Memory that collect may hold, and DuckDB's limit with what the process has next to it. */
const COLLECT_MIB = 512;
const PUBLISH_MIB = 1024 + 300;

it('100,000 players with 3 screens and 11 transfers each are exported whole, within their memory', async () => {
  await using folder = await temporaryFolder();
  using server = await serve({ players: PLAYERS, screensPerPlayer: SCREENS, transfersPerPlayer: TRANSFERS });
  const place = { ...server, lake: join(folder.path, 'large') };
  const argument: RunArgument = { ...place, concurrency: 50, at: '2026-11-20T03:00:00Z' };
  const run = await measure<RunMeasured>('run', argument);
  process.stderr.write(`${JSON.stringify(run)}\n`);
  expect(run.status).toBe('complete');
  expect(run.requests).toBeGreaterThanOrEqual(3 + 2 * PLAYERS);
  expect(run.requests).toBeLessThanOrEqual(3 + 2 * PLAYERS + MOST_TRIES);
  expect(run.rows).toBeGreaterThanOrEqual(PLAYERS * (1 + SCREENS + TRANSFERS));
  expect(run.collectPeakMiB).toBeLessThan(COLLECT_MIB);
  expect(run.peakMiB).toBeLessThan(PUBLISH_MIB);
});
