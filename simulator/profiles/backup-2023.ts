import type { JsonObject } from '../json.ts';
import { type Route, SIGNAGE_BASE } from '../server/routes.ts';
import { mappedListing } from '../world/listing.ts';
import { profileOf } from './dialect.ts';
import type { Profile } from './profile.ts';

const base = profileOf({
  name: 'backup-2023',
  signage: {},
  backup: { envelope: 'result-data', paging: 'page-if-asked' },
  shapes: { backup_pricing: 'tree' },
  rewrite: (listing) =>
    listing.resource === 'backup_storages' ? mappedListing(listing, renewedStorage) : listing,
});

const NOT_FOUND = base.error('backup', 404, 'method_not_found', 'Method not found');

/** The name of a flag before → its name here. */
const RENAMED = {
  maintenance: 'has_maintenance',
  locked: 'is_locked',
  operation_in_progress: 'has_operation_in_progress',
};

/**
 * The backup API since January 2023: renamed flags, some booleans as strings, plural paths, no account_id for slots, pages
 * if `page` is sent. Both spellings of the slots' last segment are served.
 */
export const backup2023: Profile = {
  ...base,
  route: (path) => pluralRoute(path) ?? (path.startsWith(SIGNAGE_BASE) ? base.route(path) : NOT_FOUND),
  needsAccountId: (route) => route.resource !== 'backup_slots',
};

function pluralRoute(path: string): Route | undefined {
  if (path === '/1/backups/pricing') return { kind: 'backup', resource: 'backup_pricing', parent: undefined };
  if (path === '/1/backups') return { kind: 'backup', resource: 'backup_storages', parent: undefined };
  const parent = /^\/1\/backups\/(\d+)\/slots?$/.exec(path)?.[1];
  return parent === undefined ? undefined : { kind: 'backup', resource: 'backup_slots', parent };
}

function renewedStorage(record: JsonObject): JsonObject {
  const { maintenance, locked, operation_in_progress, is_demo, is_migrated, rights, ...kept } = record;
  return {
    ...kept,
    nb_unallocated_mobile_workstation: 0,
    is_demo: String(is_demo),
    is_migrated: String(is_migrated),
    new_interface: 'false',
    [RENAMED.maintenance]: maintenance ?? false,
    [RENAMED.locked]: locked ?? false,
    [RENAMED.operation_in_progress]: operation_in_progress ?? false,
    rights: { ...(rights as JsonObject), check: true, sale: false },
  };
}
