import { describe, expect, it } from 'vitest';
import { signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes, screenRoutes } from '../support/fleet-routes.ts';

/** A server with these ids, each player with one screen. */
function server(name: string, ids: readonly number[], mac = name) {
  const players = ids.map((Id) => ({ Id, Name: `${name} ${Id}`, Mac: `${mac}:${Id}`, City: 'Ulm' }));
  return fleetRoutes(players, screen(name));
}

const screen = (name: string) => (Id: number) => [{ Id, Name: `${name} screen ${Id}`, PlayerId: Id }];
const screensOf = (name: string) => screenRoutes(HOME, screen(name));

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
const at = (day: number) => `2026-11-1${day}T03:00:00Z`;
const HOME = from(1, 37);

describe('R12: another server that answers for a source', () => {
  it.each([
    ['other ids', server('south', from(101, 41)), 'Of 25 known', 'the listing has 0'],
    ['its ids', server('south', HOME), 'Of 32 known', 'nearly all have another text in each of Mac, Name'],
  ])('has %s: nothing is removed or added until it is accepted', async (_, other, known, says) => {
    await using lab = await signageLab(server('north', HOME));
    await lab.run(at(0));
    const rows = 'select name from screens order by player_id::int';
    const before = await lab.rows(rows);
    expect(before).toHaveLength(37);
    for (const day of [1, 2]) {
      const { status, tables } = await lab.run(at(day), other);
      expect(status).toBe('failed');
      const held = await lab.rows(
        `select distinct resource, error_code, message from outcomes where outcome = 'failed' order by resource`,
      );
      const listings = ['pending_file_transfers', 'players', 'screens'];
      expect(held).toMatchObject(listings.map((resource) => ({ resource, error_code: 'LISTING_SHRANK' })));
      expect(held[0]?.['message']).toMatch(new RegExp(`^${known} records that were compared, ${says}: `));
      expect(tables['players']).toMatchObject({ added: 0, removed: 0, changed: 0 });
      expect(await lab.rows(rows)).toEqual(before);
    }
    expect((await lab.run(at(3), server('north', HOME))).status).toBe('complete');
    const accepted = await lab.run(at(4), other, undefined, { acceptShrink: ['berlin'] });
    expect(accepted.status).toBe('complete');
    expect((await lab.run(at(5))).status).toBe('complete');
    expect((await lab.rows(rows))[0]).toEqual({ name: expect.stringContaining('south') });
  });

  it.each([
    ['a third of it is replaced', server('north', from(13, 37))],
    ['a fleet of nine is replaced', server('north', from(101, 9)), server('north', from(1, 9))],
    ['all get a new name and nothing else', { ...server('south', HOME, 'north'), ...screensOf('north') }],
  ])('is not seen where %s', async (_, next, first = server('north', HOME)) => {
    await using lab = await signageLab(first);
    await lab.run(at(0));
    expect((await lab.run(at(1), next)).status).toBe('complete');
  });
});
