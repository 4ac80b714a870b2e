import type { AskedListing } from '../support/asked-listing.ts';
import { licenseRecords, transferRecords } from './goods.ts';
import type { Clocks } from './local-time.ts';
import { playerRecords, screenRecords } from './told.ts';
import { PRICE_LIST, priceRecords, slotRecords, storageRecords, type Vault } from './vault.ts';
import type { World, WorldRun } from './world.ts';

/** The name of a world's source. */
export function sourceOf({ seed }: World): string {
  return `w${seed}`;
}

/** The name of an account's source. */
export function vaultSourceOf({ seed }: Vault): string {
  return `v${seed}`;
}

/** What is exported with runs at the same times, a source each. */
export interface Exported {
  readonly worlds?: readonly World[];
  readonly vaults?: readonly Vault[];
  /** Names of sources that leave the config with the last run. */
  readonly leavers?: readonly string[];
}

/** When a listing is asked for. */
interface Moment {
  readonly at: number;
  readonly clocks: Clocks;
}

/** What the API of a world or an account answers at a moment; undefined for a run that it has no part in. */
export function answerOf({ worlds = [], vaults = [] }: Exported, asked: AskedListing, moment: Moment) {
  const world = worlds.find((each) => sourceOf(each) === asked.source);
  const vault = vaults.find((each) => vaultSourceOf(each) === asked.source);
  return world === undefined
    ? vault && toldOfVault(vault, asked, moment.at)
    : toldOfFleet(world, asked, moment);
}

const DENIED = { status: 403, body: '{"Message":"denied"}' };

function toldOfFleet(world: World, asked: AskedListing, { at, clocks }: Moment) {
  const run = world.runs.find((each) => each.at === at);
  if (run === undefined) return undefined;
  const found = run.how === 'asked' ? bodyOf(asked, { world, run, clocks }) : 'denied';
  return found === 'denied' ? DENIED : { body: JSON.stringify(found) };
}

function toldOfVault(vault: Vault, { name, parentId }: AskedListing, at: number) {
  const run = vault.runs.find((each) => each.at === at);
  if (run === undefined) return undefined;
  const storage = vault.storages.find(({ id }) => String(id) === parentId);
  const denies = run.denied.includes(name === 'backup_pricing' ? PRICE_LIST : (storage?.id ?? -1));
  if (run.how !== 'asked' || denies) return DENIED;
  const data =
    name === 'backup_pricing'
      ? priceRecords(vault, at)
      : storage === undefined
        ? storageRecords(vault, at)
        : slotRecords(vault, storage, at);
  return { body: JSON.stringify({ result: 'success', data }) };
}

function bodyOf(
  { name, parentId }: AskedListing,
  { world, run, clocks }: { readonly world: World; readonly run: WorldRun; readonly clocks: Clocks },
): readonly object[] | 'denied' {
  if (name === 'players') return playerRecords(world, run, clocks);
  const player = world.players.find(({ id }) => String(id) === parentId);
  if (name === 'licenses') return licenseRecords(world, run.at);
  if (player === undefined) return [];
  if (name === 'pending_file_transfers' && run.queues?.includes(player.id)) return 'denied';
  if (name === 'pending_file_transfers')
    return transferRecords(world, player.id, run.at, clocks.dayOf(run.at));
  if (name !== 'screens') return [];
  return run.denied.includes(player.id) ? 'denied' : screenRecords(player, run);
}
