/** The settings of a world: the same settings make the same records, on every machine. */
export interface WorldSettings {
  /** The number of players, on every day. @default 200 */
  readonly players: number;
  /** @default 1 */
  readonly seed: number;
  /**
   * Day 0, as YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ. The clock has this time (03:00 UTC without one) on each day.
   * @default '2026-11-20'
   */
  readonly startDate: string;
  /** Screens of every player. @default 0 to 6, 1.5 on average */
  readonly screensPerPlayer?: number | undefined;
  /** Pending transfers of every player. @default 0 to 19, about 3 on average */
  readonly transfersPerPlayer?: number | undefined;
  /** Backup storages. @default one for 25 players, at least 3 */
  readonly storages?: number | undefined;
}

export type WorldOptions = { readonly [Key in keyof WorldSettings]?: WorldSettings[Key] | undefined };

/** The id of the player with index 0. An index always means the same player. */
export const FIRST_PLAYER_ID = 100_001;

/** The players that come on each day, one in a hundred. As many leave, the oldest first, so the number stays. */
function turnoverOf({ players }: WorldSettings): number {
  return players < 2 ? 0 : Math.max(1, Math.round(players / 100));
}

/** The index of a day's first player; the others follow it without a gap. */
export function firstIndexOf(settings: WorldSettings, day: number): number {
  return turnoverOf(settings) * day;
}

/** The first day of a player; 0 for the first inhabitants. */
export function arrivalOf(settings: WorldSettings, index: number): number {
  return index < settings.players ? 0 : Math.floor((index - settings.players) / turnoverOf(settings)) + 1;
}

/** The account that the backup storages belong to. */
export const ACCOUNT_ID = 1042;

/** Each kind of record draws from its own random numbers. So a new draw in one kind does not change another. */
export const SALT = {
  ...{ player: 1, playerDay: 2, screen: 3, screenSwitch: 4, screenDay: 5 },
  ...{ transferSlot: 6, transfer: 7, playerTransfers: 8, license: 9, appGroup: 10 },
  ...{ storage: 11, storageDay: 12, slot: 13, slotDay: 14, price: 15 },
} as const;
