import type { ResourceName } from '#lib/sources/resources.ts';

export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;

/** The listings that a stock server has. */
export const TABLES = [
  'app_groups',
  'licenses',
  'players',
  'screens',
  'pending_file_transfers',
] as const satisfies readonly ResourceName[];

export type Table = (typeof TABLES)[number];

/** What a server has on one day, in its own snake_case. */
export type Day = Readonly<Record<Table, readonly Row[]>>;

/** More players than any of the servers gives at once. */
const PLAYERS = 130;
/** Its screens and transfers need several pages too. */
const BIG_PLAYER = 7;
const BIG_SCREENS = 60;
const BIG_TRANSFERS = 120;
/** Leaves on the second day. */
const REMOVED = 42;

const START = Date.UTC(2026, 9, 1);

function moment(hours: number): string {
  return new Date(START + hours * 3_600_000).toISOString().replace('.000', '');
}

/** Two days of one fleet: on the second, records of each table have come, gone and changed. */
export function fleet(): readonly [Day, Day] {
  const first = firstDay();
  return [first, secondDay(first)];
}

function firstDay(): Day {
  const players = Array.from({ length: PLAYERS }, (_, index) => playerOf(index + 1));
  const screens = players.flatMap(({ id }) => {
    const many = id === BIG_PLAYER ? BIG_SCREENS : Number(id) % 10 === 0 ? 0 : 1 + (Number(id) % 2);
    return Array.from({ length: many }, (_, index) => ({ player_id: id, number: index + 1 }));
  });
  const transfers = players.flatMap(({ id }) => {
    const many = id === BIG_PLAYER ? BIG_TRANSFERS : Number(id) % 5 === 0 ? 2 : 0;
    return Array.from({ length: many }, (_, index) => ({ player_id: id, file: index + 1 }));
  });
  return {
    app_groups: [
      { id: 1, name: 'Zürich «Süd»', description: 'Lobby, "main"' },
      { id: 2, name: 'Berlin', description: null },
      { id: 3, name: 'Wien', description: '' },
    ],
    licenses: [
      { id: 1, type: 'DsPlayerEntry', total_count: 100, available_count: 4 },
      { id: 2, type: 'DsPlayerPro', total_count: 40, available_count: 6 },
      { id: 3, type: 'EPaperDoorSign', total_count: 0, available_count: 0 },
    ],
    players,
    screens: screens.map(({ player_id, number }, index) => ({
      id: 1000 + index,
      player_id: player_id ?? null,
      number,
      is_on: index % 3 > 0,
      display_name: `Display ${number}`,
      last_status_change: moment(-index),
    })),
    pending_file_transfers: transfers.map(({ player_id, file }, index) => ({
      id: 5000 + index,
      player_id: player_id ?? null,
      file_name: `clip-${file}.mp4`,
      size_bytes: 1_500_000_000 + index,
      queued_at: moment(index),
    })),
  };
}

function playerOf(id: number): Row {
  return {
    id,
    name: `Player ${id}`,
    box_id: `GP111-${String(id).padStart(3, '0')}`,
    license_type: id % 2 === 0 ? 'DsPlayerEntry' : 'DsPlayerPro',
    last_access: moment(id),
    post_code: String(1000 + id).padStart(5, '0'),
    is_installed: id % 7 > 0,
    latitude: id % 4 === 0 ? null : 47 + id / 8,
    created: moment(-24 * id),
  };
}

function secondDay(first: Day): Day {
  const stays = ({ player_id }: Row) => player_id !== REMOVED;
  const [screen, , ...screens] = first.screens.filter(stays);
  const [, ...transfers] = first.pending_file_transfers.filter(stays);
  return {
    app_groups: [...first.app_groups.slice(1), { id: 4, name: 'Genève', description: 'new' }],
    licenses: first.licenses.map((each) => (each.id === 2 ? { ...each, available_count: 5 } : each)),
    players: [
      ...first.players
        .filter(({ id }) => id !== REMOVED)
        .map((each) => (Number(each.id) % 50 === 0 ? { ...each, name: `${each.name} (moved)` } : each)),
      playerOf(PLAYERS + 1),
    ],
    // The first is turned around, the second is gone, one comes.
    screens: [
      { ...screen, is_on: screen?.is_on === false },
      ...screens,
      {
        id: 1999,
        player_id: PLAYERS + 1,
        number: 1,
        is_on: true,
        display_name: 'Display 1',
        last_status_change: moment(500),
      },
    ],
    pending_file_transfers: [
      ...transfers,
      { id: 5999, player_id: BIG_PLAYER, file_name: 'late.mp4', size_bytes: 7, queued_at: moment(501) },
    ],
  };
}
