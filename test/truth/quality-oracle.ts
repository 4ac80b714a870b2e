import type { Exported } from './exported.ts';
import { licenseRecords, transferRecords } from './goods.ts';
import type { Clocks } from './local-time.ts';
import { isListedAt, isLoud, playerRecords, screenRecords } from './told.ts';
import { isThere, PRICE_LIST, priceRecords, slotRecords, storageRecords, type Vault } from './vault.ts';
import type { World, WorldRun } from './world.ts';

/** What a run was told by one source, and what nobody answered, by table. */
interface Told {
  readonly at: number;
  /** Such as players.City. */
  readonly fields: ReadonlySet<string>;
  /** The number of listings without an answer, of each table that has any. */
  readonly denied: readonly number[];
}

/** What of an export has to be looked at first. */
export interface TrueQuality {
  /** Of each source, the fields that no run knew before its newest, though it had read their table. */
  readonly newFields: number;
  /** Of each source and table, the listings that its newest run got no answer for. */
  readonly denied: readonly number[];
  /** Of each fleet that has any, the players of its newest run with a word where others have a number. */
  readonly misfits: readonly number[];
}

export function qualityOf({ worlds = [], vaults = [] }: Exported, clocks: Clocks): TrueQuality {
  const sources = [
    ...worlds.map((world) => called(world).map((run) => toldOf(run, fleetLists(world, run, clocks), FLEET))),
    ...vaults.map((vault) => called(vault).map((run) => toldOf(run, accountLists(vault, run), ACCOUNT))),
  ];
  const fresh = sources.flatMap((runs) => {
    const newest = runs.at(-1);
    if (newest === undefined) return [];
    const known = new Set(runs.slice(0, -1).flatMap(({ fields }) => [...fields]));
    const read = new Set([...known].map(tableOf));
    return [...newest.fields].filter((field) => !known.has(field) && read.has(tableOf(field)));
  });
  return {
    newFields: fresh.length,
    denied: sources.flatMap((runs) => runs.at(-1)?.denied ?? []),
    misfits: worlds.map((world) => loudPlayers(world, clocks)).filter((count) => count > 0),
  };
}

function loudPlayers(world: World, clocks: Clocks): number {
  const newest = called(world).at(-1);
  if (newest?.how !== 'asked') return 0;
  return world.players.filter(
    (player) => isListedAt(world, player, newest.at, clocks) && isLoud(world, newest, player),
  ).length;
}

const called = ({ runs }: Pick<World, 'runs'>) => runs.filter(({ how }) => how !== 'left out');
const tableOf = (field: string) => field.split('.')[0];

/** Listings that need no other one. */
const FLEET = ['players', 'licenses', 'app_groups'];
const ACCOUNT = ['backup_storages', 'backup_pricing'];

/** A table, and a listing's records or that it is denied. */
type Listing = readonly [table: string, records: readonly object[] | 'denied'];

function toldOf({ at, how }: WorldRun, answers: readonly Listing[], roots: readonly string[]): Told {
  const lists = how === 'refused' ? roots.map((table): Listing => [table, 'denied']) : answers;
  const denied = Map.groupBy(
    lists.filter(([, records]) => records === 'denied'),
    ([table]) => table,
  );
  const fields = lists.flatMap(([table, records]) =>
    records === 'denied'
      ? []
      : records.flatMap((record) => Object.keys(record).map((field) => `${table}.${field}`)),
  );
  return { at, fields: new Set(fields), denied: [...denied.values()].map((some) => some.length) };
}

function fleetLists(world: World, run: WorldRun, clocks: Clocks): readonly Listing[] {
  const day = clocks.dayOf(run.at);
  const listed = world.players.filter((player) => isListedAt(world, player, run.at, clocks));
  return [
    ['players', playerRecords(world, run, clocks)],
    ['licenses', licenseRecords(world, run.at)],
    ...listed.flatMap((player): readonly Listing[] => [
      ['screens', run.denied.includes(player.id) ? 'denied' : screenRecords(player, run)],
      [
        'transfers',
        run.queues?.includes(player.id) ? 'denied' : transferRecords(world, player.id, run.at, day),
      ],
    ]),
  ];
}

function accountLists(vault: Vault, { at, denied }: WorldRun): readonly Listing[] {
  return [
    ['storages', storageRecords(vault, at)],
    ['prices', denied.includes(PRICE_LIST) ? 'denied' : priceRecords(vault, at)],
    ...vault.storages
      .filter((storage) => isThere(storage, at))
      .map(
        (storage): Listing => [
          'slots',
          denied.includes(storage.id) ? 'denied' : slotRecords(vault, storage, at),
        ],
      ),
  ];
}
