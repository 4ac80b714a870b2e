import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listings, lostInRoundTrip } from './support/round-trip.ts';

it('each scalar of any listing is in its cell or in rejects', async () => {
  const property = fc.asyncProperty(listings, async (days) => {
    expect(await lostInRoundTrip(days)).toEqual([]);
  });
  // A run takes a second; test/slow has many.
  await fc.assert(property, { numRuns: 2, endOnFailure: true });
}, 60_000);
