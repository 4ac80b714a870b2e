import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listings, lostInRoundTrip } from '../dialects/support/round-trip.ts';

/** Of three listings each. */
const RUNS = Number(process.env['ROUND_TRIPS'] ?? 30);

it(`each scalar of any listing is in its cell or in rejects: ${RUNS} times`, async () => {
  const property = fc.asyncProperty(listings, async (days) => {
    expect(await lostInRoundTrip(days)).toEqual([]);
  });
  await fc.assert(property, { numRuns: RUNS });
}, 3_600_000);
