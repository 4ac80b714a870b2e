import type { Kind } from './kind.ts';
import { text } from './settings.ts';

/** The signage API: players, and for each its screens and pending file transfers. */
export const signage = {
  kind: 'signage',
  parents: { one: 'player', many: 'players', column: 'player_id' },
  defaults: { basePath: '/gv2/webservices/API', concurrency: 8, requestsPerSecond: 20 },
  settings: {
    apiVersion: text('a version in quotes, such as "1.12"', /^\d+(\.\d+)*$/).default('1.12'),
    /** The address where a person sees a player in the platform, for links in the report. */
    playerUrl: text(
      'the address of a player in the platform, with {id} for its id, such as "https://signage.example.com/#/players/{id}"',
      /^https?:\/\/[^\s{}/?#@]+[/?#][^\s{}]*\{id\}[^\s{}]*$/,
    ).exactOptional(),
  },
  variants: {},
  secret: {
    apiKey: { name: 'x-apikey', prefix: '' },
    sessionId: { name: 'x-session-id', prefix: '' },
  },
  form: { items: '$', beside: [] },
  listings: [
    { name: 'app_groups', record: 'AppGroup', listing: 'AppGroups', path: '/v{apiVersion}/AppGroups' },
    { name: 'licenses', record: 'License', listing: 'Licenses', path: '/v{apiVersion}/Licenses' },
    { name: 'players', record: 'Player', listing: 'Players', path: '/v{apiVersion}/Players' },
    {
      name: 'screens',
      record: 'Screen',
      listing: 'Screens',
      path: '/v{apiVersion}/Players/{id}/Screens',
      parent: 'players',
    },
    {
      name: 'pending_file_transfers',
      record: 'PendingFileTransfer',
      listing: 'PendingFileTransfers',
      path: '/v{apiVersion}/Players/{id}/PendingFileTransfers',
      parent: 'players',
      isQueue: true,
    },
  ],
  // 40 calls, 20 a second.
  sampledParents: 20,
  parentsOf: (players: number) => players,
} as const satisfies Kind;
