import { hash } from '#simulator/dice.ts';
import type { Event, EventName } from './events.ts';
import {
  groupRecord,
  licenseRecord,
  type Player,
  playerRecord,
  priceObject,
  priceRecords,
  type Storage,
  screenRecord,
  slotRecord,
  storageRecord,
  transferRecord,
} from './records.ts';
import type { DayTruth, Held } from './truth.ts';

/** The first sizes of an installation. */
export interface Sizes {
  readonly players: number;
  readonly groups: number;
  readonly licences: number;
  readonly storages: number;
  /** The answer with the prices: a list, or one object if the form of the server has that. */
  readonly prices: 'list' | 'object';
  /** How many screens a player has. */
  readonly screens: 'mixed' | 'one' | 'two';
}

interface Fleet {
  readonly players: readonly Player[];
  readonly storages: readonly Storage[];
  readonly groups: readonly { readonly id: number; readonly name: number }[];
  readonly licences: readonly { readonly type: number; readonly total: number }[];
  /** Numbers that were given away. */
  readonly nextPlayer: number;
  readonly nextStorage: number;
  readonly nextTransfer: number;
  readonly moved: number;
  readonly screensOff: boolean;
  readonly version: number;
}

/** One day of an installation: its records, and the version that it runs. */
export interface FleetDay {
  readonly tables: DayTruth;
  readonly version: string;
}

export interface FleetLife {
  readonly seed: number;
  readonly sizes: Sizes;
  readonly events: readonly Event[];
}

/** At least so many players, or the loss of a few is the loss of many. */
const SPARES = 10;
const ROLLOUTS = [1, 2, 3, 5, 10, 20];

/** The days of an installation, which depend on nothing but these facts. */
export function* fleetDays({ seed, sizes, events }: FleetLife): Generator<FleetDay> {
  let fleet = firstDay(seed, sizes);
  for (let day = 0; ; day++) {
    if (day > 0) {
      fleet = usualDay(seed, fleet, day);
      for (const event of events.filter((each) => each.day === day))
        fleet = happen({ seed, sizes }, fleet, event);
    }
    yield {
      tables: tablesOf({ seed, day }, fleet, sizes.prices),
      version: `4.${7 + fleet.version}.${fleet.version * 2}`,
    };
  }
}

function firstDay(seed: number, sizes: Sizes): Fleet {
  const fleet: Fleet = {
    players: [],
    storages: Array.from({ length: sizes.storages }, (_, index) => newStorage(seed, 26_001 + index)),
    groups: Array.from({ length: sizes.groups }, (_, index) => ({ id: 11 + index, name: index })),
    licences: Array.from({ length: sizes.licences }, (_, index) => ({ type: index, total: 50 + 10 * index })),
    nextPlayer: 4711,
    nextStorage: 26_001 + sizes.storages,
    nextTransfer: 900_001,
    moved: 0,
    screensOff: false,
    version: 0,
  };
  return withTransfers(seed, added(seed, sizes, fleet, { count: sizes.players, day: 0 }), 0);
}

function added(
  seed: number,
  sizes: Sizes,
  fleet: Fleet,
  { count, day }: { readonly count: number; readonly day: number },
): Fleet {
  const players = Array.from({ length: count }, (_, index) => {
    const id = fleet.nextPlayer + index;
    const roll = hash(seed, 1, id) % 100;
    const mixed = roll < 10 ? 0 : roll < 60 ? 1 : roll < 85 ? 2 : roll < 95 ? 3 : 4;
    const screens = sizes.screens === 'mixed' ? mixed : sizes.screens === 'one' ? 1 : 2;
    return { id, screens, since: day, transfers: [] };
  });
  return { ...fleet, players: [...fleet.players, ...players], nextPlayer: fleet.nextPlayer + count };
}

function newStorage(seed: number, id: number): Storage {
  return { id, slots: 1 + (hash(seed, 2, id) % 5) };
}

/** Half of the files arrive; three players in ten get one or two new ones. */
function usualDay(seed: number, fleet: Fleet, day: number): Fleet {
  const left = fleet.players.map((player) => ({
    ...player,
    transfers: player.transfers.filter(({ id }) => hash(seed, 3, id, day) % 2 === 0),
  }));
  return withTransfers(seed, { ...fleet, players: left }, day);
}

function withTransfers(seed: number, fleet: Fleet, day: number): Fleet {
  return queued(fleet, day, (id) => {
    const roll = hash(seed, 4, id, day) % 10;
    return roll < 3 ? 1 + (roll % 2) : 0;
  });
}

function queued(fleet: Fleet, day: number, count: (player: number) => number): Fleet {
  let next = fleet.nextTransfer;
  const players = fleet.players.map((player) => ({
    ...player,
    transfers: [
      ...player.transfers,
      ...Array.from({ length: count(player.id) }, () => ({ id: next++, since: day })),
    ],
  }));
  return { ...fleet, players, nextTransfer: next };
}

function happen(
  { seed, sizes }: Omit<FleetLife, 'events'>,
  fleet: Fleet,
  { day, what, files }: Event,
): Fleet {
  const { players, groups, licences, storages } = fleet;
  const roll = hash(seed, 5, day);
  const without = (count: number): Fleet => {
    const order = players.toSorted((a, b) => hash(seed, 6, a.id, day) - hash(seed, 6, b.id, day));
    const gone = new Set(order.slice(0, count));
    return { ...fleet, players: players.filter((player) => !gone.has(player)) };
  };
  const some = Math.ceil(players.length * 0.03);
  const changes: Readonly<Record<EventName, () => Fleet>> = {
    grow: () => added(seed, sizes, fleet, { count: Math.max(1, some), day }),
    shrink: () => (players.length < SPARES ? fleet : without(some)),
    'customer-leaves': () => (players.length < SPARES ? fleet : without(Math.round(players.length / 10))),
    'replace-player': () =>
      players.length === 0 ? fleet : added(seed, sizes, without(1), { count: 1, day }),
    rollout: () => {
      const empty = { ...fleet, players: players.map((player) => ({ ...player, transfers: [] })) };
      const drawn = ROLLOUTS[roll % ROLLOUTS.length] ?? 1;
      const each = files ?? (players.length > 100 ? Math.min(drawn, 5) : drawn);
      return queued(empty, day, () => each);
    },
    'queue-empties': () => ({ ...fleet, players: players.map((player) => ({ ...player, transfers: [] })) }),
    'rename-group': () => ({
      ...fleet,
      groups: groups.map((group, index) => (index === 0 ? { ...group, name: group.name + 100 } : group)),
    }),
    'new-group': () => ({ ...fleet, groups: [...groups, { id: 11 + groups.length, name: groups.length }] }),
    'buy-licences': () => ({
      ...fleet,
      licences: licences.map((each, index) => (index === 0 ? { ...each, total: each.total + 100 } : each)),
    }),
    'new-licence-type': () => ({ ...fleet, licences: [...licences, { type: licences.length, total: 20 }] }),
    'screens-off': () => ({ ...fleet, screensOff: true }),
    'screens-on': () => ({ ...fleet, screensOff: false }),
    'mount-screen': () => ({
      ...fleet,
      players: players.map((player, index) =>
        index === roll % players.length ? { ...player, screens: player.screens + 1 } : player,
      ),
    }),
    'move-values': () => ({ ...fleet, moved: fleet.moved + 1 }),
    update: () => ({ ...fleet, version: fleet.version + 1 }),
    'order-storage': () => ({
      ...fleet,
      storages: [...storages, newStorage(seed, fleet.nextStorage)],
      nextStorage: fleet.nextStorage + 1,
    }),
    'add-slot': () => ({
      ...fleet,
      storages: storages.map((each, index) => (index === 0 ? { ...each, slots: each.slots + 1 } : each)),
    }),
  };
  return changes[what]();
}

function tablesOf(
  { seed, day }: { readonly seed: number; readonly day: number },
  fleet: Fleet,
  prices: Sizes['prices'],
): DayTruth {
  const { players, storages, moved, screensOff } = fleet;
  const top = (records: readonly Held['record'][]): readonly Held[] =>
    records.map((record) => ({ parent: null, record }));
  return {
    app_groups: top(fleet.groups.map(groupRecord)),
    licenses: top(fleet.licences.map((each) => licenseRecord(seed, each, day))),
    players: top(players.map((player) => playerRecord({ seed, day }, player, moved))),
    screens: players.flatMap((player) =>
      Array.from({ length: player.screens }, (_, index) => ({
        parent: player.id,
        record: screenRecord({ seed, day }, { player: player.id, number: index + 1, isOff: screensOff }),
      })),
    ),
    pending_file_transfers: players.flatMap((player) =>
      player.transfers.map((transfer) => ({ parent: player.id, record: transferRecord(seed, transfer) })),
    ),
    backup_pricing: top(prices === 'list' ? priceRecords(day) : [priceObject(day)]),
    backup_storages: top(storages.map((storage) => storageRecord({ seed, day }, storage))),
    backup_slots: storages.flatMap(({ id, slots }) =>
      Array.from({ length: slots }, (_, index) => ({
        parent: id,
        record: slotRecord({ seed, day }, { storage: id, number: index }),
      })),
    ),
  };
}
