import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import { SERVED_NAMES } from '#simulator/kind.ts';
import { createWorld, type Snapshot } from '#simulator/world/world.ts';

const everything = (snapshot: Snapshot) =>
  SERVED_NAMES.map((resource) => [resource, [...snapshot.all(resource)]]);
const ids = (records: readonly JsonObject[]) => new Set(records.map((record) => record.Id));
const without = <T>(all: Set<T>, others: Set<T>) => [...all].filter((each) => !others.has(each));

describe('world', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(everything(createWorld({ seed: 7 }).at(3))).toEqual(everything(createWorld({ seed: 7 }).at(3)));
    expect(everything(createWorld({ seed: 8 }).at(3))).not.toEqual(
      everything(createWorld({ seed: 7 }).at(3)),
    );
  });

  it('gives a day directly as after going through the days before', () => {
    const direct = everything(createWorld({ players: 60 }).at(5));
    const world = createWorld({ players: 60 });
    for (const day of [0, 1, 2, 3, 4]) everything(world.at(day));
    expect(everything(world.at(5))).toEqual(direct);
  });

  it('loses and gains one player in a hundred a day, and keeps their number', () => {
    const world = createWorld({ players: 1000 });
    const before = ids(world.at(3).records('players'));
    const after = ids(world.at(4).records('players'));
    expect([before.size, after.size]).toEqual([1000, 1000]);
    expect(without(before, after).length).toBe(10);
    expect(without(after, before).length).toBe(10);
    expect(world.at(250).records('players')).toHaveLength(1000);
  });

  it('switches screens, finishes transfers and starts new ones', () => {
    const world = createWorld({ players: 300 });
    const screens = (day: number) =>
      new Map(
        [...world.at(day).all('screens')].map(({ parentId, record }) => [`${parentId}/${record.Id}`, record]),
      );
    const before = screens(0);
    const switched = [...screens(1)].filter(([key, record]) => before.get(key)?.IsOn === !record.IsOn);
    expect(switched.length).toBeGreaterThan(20);
    const transfers = (day: number) =>
      ids([...world.at(day).all('pending_file_transfers')].map(({ record }) => record));
    expect(without(transfers(0), transfers(1)).length).toBeGreaterThan(20);
    expect(without(transfers(1), transfers(0)).length).toBeGreaterThan(20);
  });

  it('has 1.5 screens and 3 transfers a player on average, or as many as asked for', () => {
    const average = (resource: 'screens' | 'pending_file_transfers', options = {}) =>
      [
        ...createWorld({ players: 2000, ...options })
          .at(0)
          .all(resource),
      ].length / 2000;
    expect(average('screens')).toBeCloseTo(1.5, 0);
    expect(average('pending_file_transfers')).toBeGreaterThan(2.5);
    expect(average('pending_file_transfers')).toBeLessThan(3.6);
    expect(average('screens', { screensPerPlayer: 2 })).toBe(2);
    expect(average('pending_file_transfers', { transfersPerPlayer: 3 })).toBe(3);
  });
});

describe('traits of the records', () => {
  const world = createWorld({ players: 2000 });
  const today = world.at(1);
  const players = today.records('players');
  const screens = [...today.all('screens')].map(({ record }) => record);

  it('leaves out what has no value, never writes null', () => {
    for (const key of ['CustomId', 'PostCode', 'Email', 'Latitude', 'ProvisioningState']) {
      expect(players.some((player) => key in player)).toBe(true);
      expect(players.some((player) => !(key in player))).toBe(true);
    }
    expect([...players, ...screens].flatMap((record) => Object.values(record))).not.toContain(null);
  });

  it('knows players that were never seen, deleted ones, shared box ids and post codes that begin with 0', () => {
    expect(players.some((player) => player.LastAccess === '0001-01-01T00:00:00Z')).toBe(true);
    expect(new Set(players.map((player) => player.BoxState))).toEqual(
      new Set(['Activated', 'Deleted', 'New', 'Reserved']),
    );
    expect(players.filter((player) => player.BoxId === 'GP111-111').length).toBeGreaterThan(1);
    expect(players.some((player) => /^0\d+$/.test(String(player.PostCode)))).toBe(true);
  });

  it('names licence types on players that Licenses lacks, and one licence with a total of 0', () => {
    const listed = new Set(today.records('licenses').map((license) => license.Type));
    expect(
      players.some((player) => player.LicenseType !== undefined && !listed.has(player.LicenseType)),
    ).toBe(true);
    expect(today.records('licenses').some((license) => license.TotalCount === 0)).toBe(true);
    expect(today.records('licenses').some((license) => 'Id' in license)).toBe(false);
  });

  it('repeats screen ids across players, keeps dead screens on, and misses some status changes', () => {
    expect(screens.filter((screen) => screen.Id === 1).length).toBeGreaterThan(1000);
    expect(screens.some((screen) => screen.IsOn === true && String(screen.LastUpdate) < '2026-11-19')).toBe(
      true,
    );
    expect(screens.some((screen) => screen.LastStatusChange === undefined)).toBe(true);
    expect([...today.playerIds()].some((id) => today.records('screens', id).length === 0)).toBe(true);
  });

  it('never dates anything later than the clock, schedules and expiries apart', () => {
    const now = today.now.getTime();
    const dated = ['LastAccess', 'LastUpdate', 'LastStatusChange', 'Created', 'Modified'].map((key) => {
      const said = [...players, ...screens].flatMap((record) => record[key] ?? []);
      return { key, said: said.map((value) => Date.parse(String(value))) };
    });
    expect(dated.filter(({ said }) => said.length > 0).length).toBeGreaterThan(2);
    expect(dated.flatMap(({ said }) => said.filter((at) => !(at <= now)))).toEqual([]);
  });

  it('has slots that were never used, locked ones, and checks that are missing', () => {
    const slots = [...today.all('backup_slots')].map(({ record }) => record);
    expect(slots.some((slot) => slot.storage_used === 0)).toBe(true);
    expect(slots.some((slot) => slot.locked === true && typeof slot.locked_at === 'number')).toBe(true);
    expect(slots.some((slot) => slot.usage_last_check === null)).toBe(true);
    expect(today.records('backup_storages')).toHaveLength(80);
  });
});
