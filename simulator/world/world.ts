import type { JsonObject } from '../json.ts';
import { type ServedResource, servedNamed } from '../kind.ts';
import { appGroupRecords } from './app-groups.ts';
import { FIRST_STORAGE_ID, slotRecords, storageCount, storageRecord } from './backups.ts';
import { nowOf } from './clock.ts';
import { licenseRecords } from './licenses.ts';
import { arrayListing, type Listing, madeListing, recordsOf } from './listing.ts';
import { playerRecord } from './players.ts';
import { pricingRecord } from './pricing.ts';
import { screenRecords } from './screens.ts';
import { FIRST_PLAYER_ID, firstIndexOf, type WorldOptions, type WorldSettings } from './settings.ts';
import { transferRecords } from './transfers.ts';

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
  const { players = 200, seed = 1, startDate = '2026-11-20' } = options;
  const settings: WorldSettings = { ...options, players, seed, startDate };
  return { settings, at: (day) => snapshot(settings, day) };
}

function snapshot(settings: WorldSettings, day: number): Snapshot {
  const storages = storageCount(settings);
  const firstPlayer = firstIndexOf(settings, day);
  const top = (resource: ServedResource, records: readonly JsonObject[]) =>
    arrayListing({ day, resource, parentId: undefined }, records);
  const ofPlayer = (resource: ServedResource, parentId: number | undefined, make: Children) => {
    const index = (parentId ?? 0) - FIRST_PLAYER_ID;
    if (index < firstPlayer || index >= firstPlayer + settings.players) return undefined;
    return arrayListing({ day, resource, parentId }, make(settings, index, day));
  };
  const made = (resource: ServedResource, count: number, make: (i: number) => JsonObject) =>
    madeListing({ day, resource, parentId: undefined }, count, make);
  const listings: Record<ServedResource, (parentId?: number) => Listing | undefined> = {
    app_groups: () => top('app_groups', appGroupRecords(settings, day)),
    licenses: () => top('licenses', licenseRecords(settings, day)),
    players: () => made('players', settings.players, (i) => playerRecord(settings, firstPlayer + i, day)),
    screens: (id) => ofPlayer('screens', id, screenRecords),
    pending_file_transfers: (id) => ofPlayer('pending_file_transfers', id, transferRecords),
    backup_pricing: () => top('backup_pricing', [pricingRecord(settings, day)]),
    backup_storages: () => made('backup_storages', storages, (i) => storageRecord(settings, i, day)),
    backup_slots: (parentId = 0) => {
      const index = parentId - FIRST_STORAGE_ID;
      if (index < 0 || index >= storages) return undefined;
      return arrayListing({ day, resource: 'backup_slots', parentId }, slotRecords(settings, index, day));
    },
  };

  const listing = (resource: ServedResource, parentId?: number) => listings[resource](parentId);
  const playerIds = () => numbersFrom(FIRST_PLAYER_ID + firstPlayer, settings.players);
  const storageIds = () => numbersFrom(FIRST_STORAGE_ID, storages);
  const parents = (resource: ServedResource): Iterable<number | undefined> => {
    const { parent } = servedNamed(resource);
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

type Children = (settings: WorldSettings, index: number, day: number) => readonly JsonObject[];

function* numbersFrom(first: number, count: number): Iterable<number> {
  for (let i = 0; i < count; i++) yield first + i;
}
