import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listings, lostInRoundTrip } from '../values/round-trip.ts';

/** Of three listings each. */
const RUNS = Number(process.env['ROUND_TRIPS'] ?? 8);
/** Others have found lists that are asked about: `[{"export_date": 0, "Id": []}]` may be a record, or a level above none. */
const SEED = Number(process.env['ROUND_TRIP_SEED'] ?? 30);

it(`each scalar of any listing is in its cell or in rejects: ${RUNS} times`, async () => {
  const property = fc.asyncProperty(listings, async (days) => {
    expect(await lostInRoundTrip(days)).toEqual([]);
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
}, 3_600_000);
