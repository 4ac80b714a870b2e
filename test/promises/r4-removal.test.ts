import { describe, expect, it } from 'vitest';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

// The faults of calls and pages, one by one, are in test/slow/removal-shapes and test/slow/outcomes.
describe('R4: nothing is reported as removed because a call failed, a page moved or a listing came back short', () => {
  it('a listing of a few records that comes empty or halved is held, whatever its size; one that lost fewer is not', async () => {
    const listings = (groups: number, licenses: number, players: number) => ({
      [`${SIGNAGE}/AppGroups`]: { body: records(groups) },
      [`${SIGNAGE}/Licenses`]: { body: records(licenses) },
      [`${SIGNAGE}/Players`]: { body: records(players) },
    });
    await using lab = await fixtureLab(listings(1, 4, 5));
    await lab.run('2026-11-20T03:00:00Z');
    const counts =
      "select table_name, count(*) from changes where change = 'removed' group by all order by all";
    const removed = () => lab.flat(counts);
    const { status } = await lab.run('2026-11-21T03:00:00Z', listings(0, 2, 4));
    expect(status).toBe('partial');
    const held = "select resource, error_code from outcomes where outcome = 'failed' order by all";
    // 1 → 0 and 4 → 2, but not 5 → 4.
    const due = ['app_groups', 'licenses'].flatMap((resource) => [resource, 'LISTING_SHRANK']);
    expect(await lab.flat(held)).toEqual(due);
    expect(await removed()).toEqual(['players', 1]);
    await lab.run('2026-11-22T03:00:00Z', undefined, { config: { maxShrink: 1 } });
    expect(await removed()).toEqual([...['app_groups', 1], ...['licenses', 2], ...['players', 1]]);
  });
});

function records(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => ({ Id: index + 1 })));
}
