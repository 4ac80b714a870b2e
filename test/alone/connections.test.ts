import { beforeAll, expect, test } from 'vitest';
import { liveConnections } from '../connections/live-connection.ts';

const SEEDS = Number(process.env['CONNECTIONS'] ?? 200);
const SEED = Number(process.env['CONNECTIONS_SEED'] ?? 1);
const FROM = { from: SEED, seeds: SEEDS };

/** The servers are in this process. Until its code is compiled, their answers take longer than a round trip. */
beforeAll(() => liveConnections({ from: 0, seeds: 15 }, 'habits'));

test(`${SEEDS} servers bring an answer too many, from seed ${SEED}: each call has its own answer`, async () => {
  const lived = await liveConnections(FROM, 'faults');
  expect(lived.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  expect(lived.filter(({ rounds }) => rounds > 1).length).toBeGreaterThan(SEEDS / 3);
});

test(`${SEEDS} servers are in order, from seed ${SEED}: nothing is asked for twice`, async () => {
  const lived = await liveConnections(FROM, 'habits');
  expect(lived.filter(({ wrong, failed }) => wrong.length + failed.length > 0)).toEqual([]);
  expect(lived.filter(({ again, unasked }) => again + unasked > 0)).toEqual([]);
});
