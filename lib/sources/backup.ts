import type { Kind } from './kind.ts';
import { settings, text, whole } from './settings.ts';

const version = whole('the version of a call', 0, 1000);
const VERSIONS = [0, 1];

const ACCOUNT = { account_id: '{accountId}' };

/** The backup API: its price list, storages, and for each storage its slots. */
export const backup = {
  kind: 'backup',
  parents: { one: 'storage', many: 'storages', column: 'storage_id' },
  defaults: { basePath: '', concurrency: 2, requestsPerSecond: 1 },
  settings: {
    accountId: text('the account in quotes, such as "1042"'),
    product: text('one segment of a path, such as "backup"', /^[\w.~-]+$/).default('backup'),
    versions: settings('the versions', {
      pricing: version.default(1),
      storages: version.default(1),
      slots: version.default(0),
    }).prefault({}),
  },
  variants: {
    product: ['backup', 'backups'],
    'versions.pricing': VERSIONS,
    'versions.storages': VERSIONS,
    'versions.slots': VERSIONS,
  },
  secret: { accessToken: { name: 'authorization', prefix: 'Bearer ' } },
  // {"result": "success", "data": [...]}
  form: { items: 'data', beside: ['result'] },
  listings: [
    {
      name: 'backup_pricing',
      record: 'Price',
      listing: 'Pricing',
      path: '/{versions.pricing}/{product}/pricing',
      query: ACCOUNT,
      mayBeOneRecord: true,
    },
    {
      name: 'backup_storages',
      record: 'Backup',
      listing: 'Backups',
      path: '/{versions.storages}/{product}',
      query: ACCOUNT,
    },
    {
      name: 'backup_slots',
      record: 'Slot',
      listing: 'Slots',
      path: '/{versions.slots}/{product}/{id}/slot',
      query: ACCOUNT,
      parent: 'backup_storages',
    },
  ],
  // 5 calls, 1 a second.
  sampledParents: 5,
  // The simulator has as many storages for its players.
  parentsOf: (players: number) => Math.max(3, Math.ceil(players / 25)),
} as const satisfies Kind;
