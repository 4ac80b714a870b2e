import { named } from '../../support/named.ts';
import type { Table } from './fleet.ts';
import { node, program, python, type StockServer } from './stock-server.ts';

/** Screens and transfers below each player. */
function nested(prefix: string, end = ''): Readonly<Record<Table, string>> {
  const at = (path: string) => `${prefix}${path}${end}`;
  return {
    app_groups: at('/app-groups'),
    licenses: at('/licenses'),
    players: at('/players'),
    screens: at('/players/{id}/screens'),
    pending_file_transfers: at('/players/{id}/transfers'),
  };
}

/** All screens in one listing, of which a query takes those of a player. */
function filtered(tables: Partial<Readonly<Record<Table, string>>>, query = '') {
  const at = (table: Table) => `${tables[table] ?? `/${table}`}`;
  const of = `player_id={id}`;
  return {
    app_groups: `${at('app_groups')}${query && `?${query}`}`,
    licenses: `${at('licenses')}${query && `?${query}`}`,
    players: `${at('players')}${query && `?${query}`}`,
    screens: `${at('screens')}?${query && `${query}&`}${of}`,
    pending_file_transfers: `${at('pending_file_transfers')}?${query && `${query}&`}${of}`,
  };
}

const NO_LICENSE_ID = { lacks: { licenses: ['id'] }, keys: { licenses: 'type' } } as const;

/** As json-server 0.17 has them. */
const BELOW_PLAYERS = {
  ...filtered({}),
  screens: '/players/{id}/screens',
  pending_file_transfers: '/players/{id}/pending_file_transfers',
};

const SERVERS = {
  'Django REST Framework, page number': { start: python('drf.py', 'page'), paths: nested('/api', '/') },
  'Django REST Framework, limit and offset': {
    start: python('drf.py', 'limit-offset'),
    paths: nested('/api', '/'),
  },
  'Django REST Framework, cursor': { start: python('drf.py', 'cursor'), paths: nested('/api', '/') },
  'Django REST Framework JSON:API': {
    start: python('drf.py', 'jsonapi'),
    paths: nested('/api', '/'),
    id: String,
  },
  'FastAPI, fastapi-pagination pages': {
    start: python('fastapi_pages.py'),
    paths: nested(''),
    ...NO_LICENSE_ID,
  },
  'FastAPI, fastapi-pagination cursor': { start: python('fastapi_cursor.py'), paths: nested('') },
  "FastAPI, its tutorial's offset and limit": { start: python('fastapi_tutorial.py'), paths: nested('') },
  'FastAPI, fastapi-hypermodel HAL': {
    start: python('fastapi_hal.py'),
    paths: nested(''),
    // An empty text is left out.
    says: (value) => (value === '' ? null : value),
    ...NO_LICENSE_ID,
  },
  Eve: {
    start: python('eve_app.py'),
    paths: { ...nested('/api'), app_groups: '/api/app_groups' },
    id: (id) => id.toString(16).padStart(24, '0'),
  },
  'Litestar, classic pages': { start: python('litestar_app.py', 'classic'), paths: nested('') },
  'Litestar, offset': { start: python('litestar_app.py', 'offset'), paths: nested('') },
  'Litestar, cursor': { start: python('litestar_app.py', 'cursor'), paths: nested('') },
  Piccolo: {
    start: python('piccolo_app.py'),
    paths: filtered({
      app_groups: '/app-groups/',
      licenses: '/licenses/',
      players: '/players/',
      screens: '/screens/',
      pending_file_transfers: '/transfers/',
    }),
  },
  Datasette: {
    start: python('datasette_app.py'),
    paths: filtered(datasetteTables()),
    says: (value) => (typeof value === 'boolean' ? Number(value) : value),
  },
  Feathers: {
    start: node('feathers.cjs'),
    paths: filtered({ app_groups: '/app-groups', pending_file_transfers: '/pending-file-transfers' }),
  },
  'json-server 0.17': {
    start: program('json-server/lib/cli/bin.js', '--foreignKeySuffix', '_id'),
    paths: BELOW_PLAYERS,
  },
  'json-server 0.17 that knows no parents': {
    start: program('json-server/lib/cli/bin.js'),
    paths: BELOW_PLAYERS,
  },
  'json-server 1.0': { start: program('json-server-1/lib/bin.js'), paths: filtered({}), id: String },
  'json-server 1.0, in pages': {
    start: program('json-server-1/lib/bin.js'),
    paths: filtered({}, '_page=1'),
    id: String,
  },
} as const satisfies Readonly<Record<string, Omit<StockServer, 'name'>>>;

export type StockName = keyof typeof SERVERS;
export const STOCK_SERVERS = named<Omit<StockServer, 'name'>, StockName>(SERVERS);

function datasetteTables() {
  return {
    app_groups: '/signage/app_groups.json',
    licenses: '/signage/licenses.json',
    players: '/signage/players.json',
    screens: '/signage/screens.json',
    pending_file_transfers: '/signage/pending_file_transfers.json',
  };
}
