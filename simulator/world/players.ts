import { type Dice, dice, hash } from '../dice.ts';
import { type JsonObject, omitUndefined } from '../json.ts';
import { days, hours, iso, NEVER, nowOf } from './clock.ts';
import { arrivalOf, FIRST_PLAYER_ID, SALT, type WorldSettings } from './settings.ts';
import { pendingTransferCount } from './transfers.ts';
import { PLACES, PLAYER_LICENSE_TYPES, SITES, STREETS } from './words.ts';

/** `dead`: was last seen before day 0. `flaky`: gone for a day now and then. */
export type Health = 'live' | 'flaky' | 'dead' | 'never' | 'deleted';

export function healthOf(settings: WorldSettings, index: number): Health {
  const roll = hash(settings.seed, SALT.player, index, 1) % 1000;
  if (roll < 20) return 'never';
  // A player that came later cannot have been silent since before day 0.
  if (index >= settings.players) return 'live';
  if (roll < 40) return 'deleted';
  if (roll < 100) return 'dead';
  return roll < 180 ? 'flaky' : 'live';
}

/** When the player was last seen, ms; undefined if it never was. */
export function lastAccessOf(settings: WorldSettings, index: number, day: number): number | undefined {
  const health = healthOf(settings, index);
  if (health === 'never') return undefined;
  const roll = hash(settings.seed, SALT.playerDay, index, 1);
  if (health === 'dead' || health === 'deleted')
    return nowOf(settings.startDate, 0) - days(1 + (roll % 9000) / 100);
  // A flaky player is away on one day in three, on which it was last seen the day before.
  const away = health === 'flaky' && (day + roll) % 3 === 0;
  const seenDay = away ? day - 1 : day;
  return (
    nowOf(settings.startDate, seenDay) -
    (hash(settings.seed, SALT.playerDay, index, 2 + seenDay) % 900) * 1000
  );
}

/** A record of /Players. Attributes without a value are left out; each player lacks other ones. */
export function playerRecord(settings: WorldSettings, index: number, day: number): JsonObject {
  const roll = dice(hash(settings.seed, SALT.player, index));
  const health = healthOf(settings, index);
  const lastAccess = lastAccessOf(settings, index, day);
  const id = FIRST_PLAYER_ID + index;
  const place = roll.pick(PLACES);
  const located = roll.chance(0.9);
  const age = roll.next();
  const arrival = arrivalOf(settings, index);
  const created =
    nowOf(settings.startDate, arrival) - (arrival === 0 ? days(30 + age * 2000) : hours(20 * age));
  return omitUndefined({
    Id: id,
    Name: `${roll.pick(SITES)} ${place.city} ${id}`,
    CustomId: some(roll, 0.7, `GP${roll.below(5000)}`),
    LocationId: 1 + roll.below(400),
    EditionId: 1 + roll.below(4),
    ConfigurationGroupId: 1 + roll.below(12),
    // About one in fifty shares its box id with others: it is not a key.
    BoxId: some(roll, 0.97, roll.chance(0.02) ? 'GP111-111' : `GP${id}-${roll.below(1000)}`),
    LastAccess: lastAccess === undefined ? NEVER : iso(lastAccess),
    LicenseType: some(roll, 0.98, roll.pick(PLAYER_LICENSE_TYPES)),
    TransferStatus: transferStatus(settings, index, day, health),
    IsInstalled: health !== 'never' && roll.chance(0.97),
    IsLicensed: roll.chance(0.95),
    Address: located ? `${roll.pick(STREETS)} ${1 + roll.below(180)}` : undefined,
    PostCode: located ? place.postCode : undefined,
    City: located ? place.city : undefined,
    Country: some(roll, 0.95, place.country),
    TemperatureUnit: roll.chance(0.8) ? 'Undefined' : 'Celsius',
    BoxState: boxState(roll, health),
    TimezoneId: 290 + roll.below(8),
    RootPasswordSet: roll.chance(0.5),
    Created: iso(created),
    Modified: iso(modifiedAt(settings, index, day, created)),
    Email: some(roll, 0.1, `shop${id}@example.com`),
    FaxNumber: some(roll, 0.03, `+49 30 ${100000 + roll.below(900000)}`),
    Latitude: some(roll, 0.4, round6(place.latitude + roll.next() / 50)),
    Longitude: some(roll, 0.4, round6(place.longitude + roll.next() / 50)),
    PendingTimezoneId: some(roll, 0.02, 290 + roll.below(8)),
    PhoneNumber: some(roll, 0.2, `0${30 + roll.below(900)}/${100000 + roll.below(900000)}`),
    ProvisioningState: some(roll, 0.3, roll.pick(['Provisioned', 'Pending'])),
  });
}

/** The value with this probability, else undefined. The caller has drawn the value already, so that later draws never shift. */
function some<T>(roll: Dice, probability: number, value: T): T | undefined {
  return roll.chance(probability) ? value : undefined;
}

function boxState(roll: Dice, health: Health): string {
  if (health === 'deleted') return 'Deleted';
  if (health === 'never') return roll.chance(0.7) ? 'New' : 'Reserved';
  return 'Activated';
}

function transferStatus(settings: WorldSettings, index: number, day: number, health: Health): string {
  if (pendingTransferCount(settings, index, day) === 0) return 'Complete';
  return health === 'live' || health === 'flaky' ? 'Pending' : 'Overdue';
}

/** Somebody edits a player every 20 to 60 days. */
function modifiedAt(settings: WorldSettings, index: number, day: number, created: number): number {
  const roll = hash(settings.seed, SALT.playerDay, index, 0);
  const period = 20 + (roll % 41);
  const editedDay = day - ((day + (roll >>> 8)) % period);
  return Math.max(created, nowOf(settings.startDate, editedDay) - hours((roll % 2000) / 100));
}

function round6(value: number): number {
  return Number(value.toFixed(6));
}
