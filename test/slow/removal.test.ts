import { describe, expect, it } from 'vitest';
import { removedUnder } from '../support/removed-under.ts';

// A listing of a few records is in test/promises/r4-removal.
describe('R4, case by case: nothing is reported as removed because a call failed, a page moved or a listing came back short', () => {
  it.each([
    ['the players listing is halved', 'halved@resource=players', 'reference', 'players LISTING_SHRANK'],
    ['all screens answer 404', 'gone:1@resource=screens', 'reference', 'screens RESOURCE_MISSING'],
    ['a page moves in a listing with a total', 'moving', 'marker', 'players LISTING_UNSTABLE'],
    ['the players listing fails', '500:1@resource=players', 'reference', 'players HTTP_500'],
    ['every listing of screens fails', '500:1@resource=screens', 'reference', 'screens HTTP_500'],
    ['the players listing is empty', 'empty@resource=players', 'reference', 'players LISTING_SHRANK'],
    ['the players listing answers 404', 'gone:1@resource=players', 'reference', 'players RESOURCE_MISSING'],
    ['a page moves in a listing without a total', 'moving', 'cursor', 'players LISTING_UNSTABLE'],
    ['the key is refused', 'denied-all', 'reference', 'players SOURCE_UNAUTHORIZED'],
  ])('%s', { timeout: 60_000 }, async (_, faults, profile, code) => {
    const { removed, codes, status } = await removedUnder(faults, profile);
    expect(removed).toEqual([]);
    expect(codes).toContain(code);
    expect(status).not.toBe('complete');
  });
});
