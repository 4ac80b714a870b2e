import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure, serve } from '../../bench/child.ts';
import type { RunArgument, RunMeasured } from '../../bench/children/run.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const PLAYERS = 100_001;
const SCREENS = 3;
/** No number that a server might cut lists at: each player has as many. */
const TRANSFERS = 11;
/** The application groups, which say nothing of pages, are asked for further ones by each kind of parameter; so many players are not. */
const TRIES = 3;
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
  expect(run.requests).toBe(3 + 2 * PLAYERS + TRIES);
  expect(run.rows).toBeGreaterThanOrEqual(PLAYERS * (1 + SCREENS + TRANSFERS));
  expect(run.collectPeakMiB).toBeLessThan(COLLECT_MIB);
  expect(run.peakMiB).toBeLessThan(PUBLISH_MIB);
});
