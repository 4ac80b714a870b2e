import { describe, expect, it } from 'vitest';
import { exportLab } from '../support/export-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';

/** What the second run calls removed, under the fault; the world itself stands still. */
async function removedUnder(faults: string, profile = 'reference') {
  await using lab = await exportLab({ players: 60, pageSize: 20, profile, seed: 3 });
  await lab.run(DAY_1);
  const before = await lab.rows('select count(*) n from screens');
  await lab.simulator.setFaults(faults);
  const { status } = await lab.run(DAY_2, { random: () => 0 });
  const removed = await lab.rows(
    "select table_name, count(*) n from changes where change = 'removed' group by all",
  );
  expect(await lab.rows('select count(*) n from screens')).toEqual(before);
  const codes = await lab.rows(
    "select distinct resource, error_code from outcomes where outcome in ('failed', 'denied') order by all",
  );
  return { status, removed, codes: codes.map(({ resource, error_code }) => `${resource} ${error_code}`) };
}

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
