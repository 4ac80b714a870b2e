import { expect, it } from 'vitest';
import { exportDays, type Settings } from './support/export-days.ts';
import { DATASETTE_OBJECTS, STOCK_SERVERS } from './support/stock-servers.ts';

type Name = (typeof STOCK_SERVERS)[number]['name'];

/** What becomes of a server with nothing but the paths of its listings, and with what an operator sets then. */
interface Held {
  readonly alone: string;
  readonly set?: Settings;
  readonly gives?: string;
}

/** The same for the listings of which this server may have many records. */
function long(setting: object): Settings {
  return { resources: { players: setting, screens: setting, pending_file_transfers: setting } };
}

const UNPROVEN = 'asked players PAGING_UNPROVEN';
/** A listing that is exactly as long as servers cut theirs, with no word of more. */
const CAPPED = 'asked players CAP_SUSPECTED';
/** Pages of which the first is read. */
const FIRST_PAGES =
  'SHORT pending_file_transfers; SHORT players; SHORT screens; WRONG changes of pending_file_transfers; WRONG changes of players; WRONG changes of screens';

/**
 * Each state as it is: one that gets better or worse fails here, and is written down anew. `asked` says which listings a
 * run calls unread; `SHORT` and `WRONG` what it exports amiss and calls complete, which is a fault of ours.
 */
const HELD: Readonly<Record<Name, Held>> = {
  'Django REST Framework, page number': { alone: 'whole' },
  'Django REST Framework, limit and offset': { alone: 'whole' },
  'Django REST Framework, cursor': { alone: 'whole' },
  'Django REST Framework JSON:API': { alone: 'whole' },
  'FastAPI, fastapi-pagination pages': { alone: 'whole' },
  'FastAPI, fastapi-pagination cursor': {
    alone: UNPROVEN,
    set: long({ paging: 'cursor:cursor' }),
    gives: 'whole',
  },
  "FastAPI, its tutorial's offset and limit": {
    alone: CAPPED,
    set: long({ paging: 'offset:offset,limit=100' }),
    gives: 'whole',
  },
  'FastAPI, fastapi-hypermodel HAL': {
    alone: 'asked pending_file_transfers ENVELOPE_UNKNOWN',
    set: {
      resources: {
        app_groups: { items: '_embedded.app_groups' },
        licenses: { items: '_embedded.licenses' },
        players: { items: '_embedded.players' },
        screens: { items: '_embedded.screens' },
        pending_file_transfers: { items: '_embedded.transfers' },
      },
    },
    gives: 'whole',
  },
  Eve: { alone: 'whole' },
  'Litestar, classic pages': {
    alone: UNPROVEN,
    set: long({ paging: 'page:current_page' }),
    gives: 'whole',
  },
  'Litestar, offset': { alone: 'whole' },
  'Litestar, cursor': { alone: 'whole' },
  Piccolo: { alone: CAPPED, set: long({ paging: 'page:__page,__page_size=100' }), gives: 'whole' },
  Datasette: {
    alone: 'asked app_groups ENVELOPE_UNKNOWN, licenses ENVELOPE_UNKNOWN, players ENVELOPE_UNKNOWN',
    set: {
      resources: Object.fromEntries(
        Object.entries(DATASETTE_OBJECTS).map(([table, path]) => [table, { path }]),
      ),
    },
    // Its count is that of the whole table, not of the page.
    gives: 'asked players TOTAL_MISMATCH',
  },
  Feathers: {
    alone: 'asked app_groups PAGING_UNPROVEN, licenses PAGING_UNPROVEN, players PAGING_UNPROVEN',
    set: {
      resources: {
        ...long({ paging: 'offset:$skip' }).resources,
        app_groups: { paging: 'offset:$skip' },
        licenses: { paging: 'offset:$skip' },
      },
    },
    gives: 'whole',
  },
  'json-server 0.17': { alone: 'whole' },
  'json-server 0.17 that knows no parents': {
    alone:
      'WRONG changes of pending_file_transfers; WRONG changes of screens; WRONG pending_file_transfers, rows too many; WRONG screens, rows too many',
  },
  'json-server 1.0': { alone: 'whole' },
  'json-server 1.0, in pages': {
    alone: FIRST_PAGES,
    set: long({ paging: 'page:_page,_per_page=50' }),
    gives: 'asked players PAGING_LOOP',
  },
};

it.concurrent.for(STOCK_SERVERS)('$name is read as far as it is known to be', async (server) => {
  const { alone, set, gives } = HELD[server.name];
  expect(await exportDays(server), 'with nothing but its paths').toBe(alone);
  if (set !== undefined) expect(await exportDays(server, set), 'with its settings').toBe(gives);
});
