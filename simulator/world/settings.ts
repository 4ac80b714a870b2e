/** The settings of a world: the same settings make the same records, on every machine. */
export interface WorldSettings {
  /** The number of players, on every day. */
  readonly players: number;
  readonly seed: number;
  /** Day 0, as YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ. The clock has this time (03:00 UTC without one) on each day. */
  readonly startDate: string;
  /** Screens of every player. @default 0 to 6, 1.5 on average */
  readonly screensPerPlayer?: number | undefined;
  /** Pending transfers of every player. @default 0 to 19, about 3 on average */
  readonly transfersPerPlayer?: number | undefined;
  /** Backup storages. @default one for 25 players, at least 3 */
  readonly storages?: number | undefined;
}

/** The account that the backup storages belong to. */
export const ACCOUNT_ID = 1042;

/** Each kind of record draws from its own random numbers. So a new draw in one kind does not change another. */
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
