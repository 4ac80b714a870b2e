import { hash } from '../dice.ts';
import type { JsonObject } from '../json.ts';
import { SALT, type WorldSettings } from './settings.ts';

/** The share of players that use a type. Types that only players name (Saas, door signs) have none. */
const SHARES: readonly (readonly [type: string, share: number])[] = [
  ['Player', 0.08],
  ['DsPlayerEntry', 0.25],
  ['DsPlayerAdvanced', 0.17],
  ['DsPlayerPro', 0.08],
  ['EntryPlayer', 0.08],
  ['AdvancedPlayer', 0],
];

/** The records of /Licenses: no id, the type is the key. One type has a total of 0. */
export function licenseRecords(settings: WorldSettings, day: number): JsonObject[] {
  return SHARES.map(([type, share], index) => {
    const bought = Math.ceil(settings.players * share * 1.3);
    // Sometimes the customer buys ten more.
    const total =
      share === 0 ? 0 : bought + 10 * Math.floor((day + (hash(settings.seed, SALT.license, index) % 9)) / 9);
    const used =
      Math.floor(settings.players * share) + (hash(settings.seed, SALT.license, index, 1 + day) % 3);
    return { Type: type, TotalCount: total, AvailableCount: Math.max(0, total - used) };
  });
}
