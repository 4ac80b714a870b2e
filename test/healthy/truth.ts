/** What an installation says in one place of a record. */
export type Cell = string | number | boolean | null;

/** A record by its names in snake_case, which are the names of columns too; `id` is a number where there is one. */
export type Truth = Readonly<Record<string, Cell>>;

/** A record with the id of its parent. */
export interface Held {
  readonly parent: number | null;
  readonly record: Truth;
}

/** The tables of both kinds of source, and how each API names its listings in an answer. */
export const LISTINGS = {
  app_groups: 'AppGroups',
  licenses: 'Licenses',
  players: 'Players',
  screens: 'Screens',
  pending_file_transfers: 'PendingFileTransfers',
  backup_pricing: 'Pricing',
  backup_storages: 'Backups',
  backup_slots: 'Slots',
} as const;

export type Table = keyof typeof LISTINGS;
export type Kind = 'signage' | 'backup';

export const TABLES: Readonly<Record<Kind, readonly Table[]>> = {
  signage: ['app_groups', 'licenses', 'players', 'screens', 'pending_file_transfers'],
  backup: ['backup_pricing', 'backup_storages', 'backup_slots'],
};

/** The listings whose records are parents, and the column that has a parent's id. */
export const PARENT_OF: Readonly<Partial<Record<Table, Table>>> = {
  screens: 'players',
  pending_file_transfers: 'players',
  backup_slots: 'backup_storages',
};

/** Whose records an installation has on one day. */
export type DayTruth = Readonly<Record<Table, readonly Held[]>>;

/** How a framework spells the names of its members. */
export type Spelling = 'pascal' | 'camel' | 'snake' | 'kebab';

/** `last_access` → `LastAccess`, `lastAccess`, `last_access`, `last-access` */
export function spelled(name: string, spelling: Spelling): string {
  if (spelling === 'snake') return name;
  if (spelling === 'kebab') return name.replaceAll('_', '-');
  const words = name
    .split('_')
    .map((word, index) => (spelling === 'camel' && index === 0 ? word : upper(word)));
  return words.join('');
}

function upper(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
