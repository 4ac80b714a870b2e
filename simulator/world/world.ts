import type { JsonObject } from '../json.ts';
import { parentOf, type ServedResource } from '../kind.ts';
import { appGroupRecords } from './app-groups.ts';
import { FIRST_STORAGE_ID, slotRecords, storageCount, storageRecord } from './backups.ts';
import { nowOf } from './clock.ts';
import { licenseRecords } from './licenses.ts';
import { arrayListing, type Listing, madeListing, recordsOf } from './listing.ts';
import { playerRecord } from './players.ts';
import { FIRST_PLAYER_ID, type Population, population } from './population.ts';
import { pricingRecord } from './pricing.ts';
import { screenRecords } from './screens.ts';
import type { WorldSettings } from './settings.ts';
import { transferRecords } from './transfers.ts';

export type WorldOptions = { readonly [Key in keyof WorldSettings]?: WorldSettings[Key] | undefined };

/** The truth, which each profile shows in its own way on the wire. */
export interface World {
  readonly settings: WorldSettings;
  /** The truth of a day (0, 1, 2, …), which depends only on settings and day. */
  at(day: number): Snapshot;
}

/** One day of a world. Records are as profile `reference` serves them. */
export interface Snapshot {
  readonly day: number;
  /** The moment of the clock. */
  readonly now: Date;
  playerIds(): Iterable<number>;
  storageIds(): Iterable<number>;
  /** The ids of a resource's parents; one undefined for a listing without parent. */
  parents(resource: ServedResource): Iterable<number | undefined>;
  /** Undefined if that parent does not exist on that day. */
  listing(resource: ServedResource, parentId?: number): Listing | undefined;
  /** All records of one answer; the price list is one record. Throws if that parent does not exist. */
  records(resource: ServedResource, parentId?: number): readonly JsonObject[];
  /** Every record of a resource with the id of its parent, over all parents. */
  all(
    resource: ServedResource,
  ): Iterable<{ readonly parentId: number | undefined; readonly record: JsonObject }>;
}

/** A world in which nothing is stored: 100,000 players cost nothing until they are read. */
export function createWorld(options: WorldOptions = {}): World {
  const settings: WorldSettings = {
    ...options,
    players: options.players ?? 200,
    seed: options.seed ?? 1,
    startDate: options.startDate ?? '2026-11-20',
  };
  const people = population(settings.players, settings.seed);
  return { settings, at: (day) => snapshot(settings, people, day) };
}

type Children = (settings: WorldSettings, index: number, day: number) => readonly JsonObject[];

function snapshot(settings: WorldSettings, people: Population, day: number): Snapshot {
  const players = people.indexes(day);
  const storages = storageCount(settings);
  const top = (resource: ServedResource, records: readonly JsonObject[]) =>
    arrayListing({ day, resource, parentId: undefined }, records);
  const childrenOfPlayer = (resource: ServedResource, parentId: number | undefined, records: Children) => {
    const index = (parentId ?? 0) - FIRST_PLAYER_ID;
    return people.has(index, day)
      ? arrayListing({ day, resource, parentId }, records(settings, index, day))
      : undefined;
  };
  const slots = (parentId: number | undefined) => {
    const index = (parentId ?? 0) - FIRST_STORAGE_ID;
    const there = index >= 0 && index < storages;
    return there
      ? arrayListing({ day, resource: 'backup_slots', parentId }, slotRecords(settings, index, day))
      : undefined;
  };
  const player = (i: number) => {
    const index = players()[i] ?? 0;
    return playerRecord(settings, index, day, people.arrival(index));
  };

  const listings: Record<ServedResource, (parentId?: number) => Listing | undefined> = {
    app_groups: () => top('app_groups', appGroupRecords(settings, day)),
    licenses: () => top('licenses', licenseRecords(settings, day)),
    players: () => madeListing({ day, resource: 'players', parentId: undefined }, people.size, player),
    screens: (id) => childrenOfPlayer('screens', id, screenRecords),
    pending_file_transfers: (id) => childrenOfPlayer('pending_file_transfers', id, transferRecords),
    backup_pricing: () => top('backup_pricing', [pricingRecord(settings, day)]),
    backup_storages: () =>
      madeListing({ day, resource: 'backup_storages', parentId: undefined }, storages, (i) =>
        storageRecord(settings, i, day),
      ),
    backup_slots: slots,
  };

  const listing = (resource: ServedResource, parentId?: number) => listings[resource](parentId);
  const playerIds = () => numbered(people.size, (i) => FIRST_PLAYER_ID + (players()[i] ?? 0));
  const storageIds = () => numbered(storages, (i) => FIRST_STORAGE_ID + i);
  const parents = (resource: ServedResource): Iterable<number | undefined> => {
    const parent = parentOf(resource);
    return parent === null ? [undefined] : parent === 'players' ? playerIds() : storageIds();
  };
  return {
    day,
    now: new Date(nowOf(settings.startDate, day)),
    playerIds,
    storageIds,
    parents,
    listing,
    records(resource, parentId) {
      const found = listing(resource, parentId);
      if (found === undefined) throw new Error(`no ${resource} of ${parentId} on day ${day}`);
      return [...recordsOf(found)];
    },
    *all(resource) {
      for (const parentId of parents(resource)) {
        const found = listing(resource, parentId);
        if (found !== undefined) for (const record of recordsOf(found)) yield { parentId, record };
      }
    },
  };
}

function* numbered(count: number, make: (i: number) => number): Iterable<number> {
  for (let i = 0; i < count; i++) yield make(i);
}
