import { describe, expect, it } from 'vitest';
import { removedUnder } from '../support/removed-under.ts';

describe('R4: nothing is reported as removed because a call failed, a page moved or a listing came back short', () => {
  it.each([
    ['the players listing is halved', 'halved@resource=players', 'reference', 'players LISTING_SHRANK'],
    ['all screens answer 404', 'gone:1@resource=screens', 'reference', 'screens RESOURCE_MISSING'],
    ['a page moves in a listing with a total', 'moving', 'marker', 'players LISTING_UNSTABLE'],
  ])('%s', { timeout: 120_000 }, async (_, faults, profile, code) => {
    const { removed, codes, status } = await removedUnder(faults, profile);
    expect(removed).toEqual([]);
    expect(codes).toContain(code);
    expect(status).not.toBe('complete');
  });
});
