/** What decides a world: the same settings give the same records, on every machine. */
export interface WorldSettings {
  /** Players on every day; one in a hundred is another one the day after. */
  readonly players: number;
  readonly seed: number;
  /** Day 0, YYYY-MM-DD: the clock stands at 03:00 UTC of each day. Or YYYY-MM-DDThh:mm:ssZ: at that time of each. */
  readonly startDate: string;
  /** So many screens for every player, where a bench wants to know; else 0 to 6, 1.5 on average. */
  readonly screensPerPlayer?: number | undefined;
  /** So many pending transfers for every player; else 0 to 20, about 3 on average. */
  readonly transfersPerPlayer?: number | undefined;
  /** Backup storages; else one for 25 players, 3 at least. */
  readonly storages?: number | undefined;
  /** The account that the backup storages belong to. */
  readonly accountId: number;
}

/** Every kind of thing draws from its own numbers, so that a new draw in one does not change the others. */
export const SALT = {
  player: 1,
  playerDay: 2,
  screen: 3,
  screenSwitch: 4,
  screenDay: 5,
  transferSlot: 6,
  transfer: 7,
  playerTransfers: 8,
  license: 9,
  appGroup: 10,
  storage: 11,
  storageDay: 12,
  slot: 13,
  slotDay: 14,
  price: 15,
} as const;
