import { dice, fraction, hash } from '../dice.ts';
import { type JsonObject, omitUndefined } from '../json.ts';
import { days, hours, iso, nowOf } from './clock.ts';
import { healthOf, lastAccessOf } from './players.ts';
import { SALT, type WorldSettings } from './settings.ts';

/** The records of one player's Screens. Their ids are 1, 2, 3… within the player, so they repeat across players. */
export function screenRecords(settings: WorldSettings, index: number, day: number): JsonObject[] {
  const length = settings.screensPerPlayer ?? screenCount(settings, index);
  return Array.from({ length }, (_, i) => screenRecord(settings, index, i + 1, day));
}

/** 0 to 6, on average 1.52; one player in ten has none. */
function screenCount(settings: WorldSettings, index: number): number {
  const roll = hash(settings.seed, SALT.screen, index) % 100;
  if (roll < 10) return 0;
  if (roll < 60) return 1;
  if (roll < 85) return 2;
  if (roll < 95) return 3;
  return roll < 99 ? 4 : 6;
}

function screenRecord(settings: WorldSettings, index: number, number: number, day: number): JsonObject {
  const roll = dice(hash(settings.seed, SALT.screen, index, number));
  const health = healthOf(settings, index);
  const lastSwitch = lastSwitchOf(settings, index, number, day);
  // A screen of a dead player keeps its last state, which mostly is "on".
  const isOn = health === 'dead' || health === 'deleted' ? roll.chance(0.95) : lastSwitch.isOn;
  const dead = health === 'live' && roll.chance(0.03);
  const lastUpdate = dead
    ? nowOf(settings.startDate, 0) - days(2 + roll.next() * 60)
    : lastAccessOf(settings, index, day);
  const name = roll.pick(['', '', 'HDMI-1', 'Links außen', 'Wand "2", rechts']);
  return omitUndefined({
    Id: number,
    Number: number,
    IsOn: dead ? true : isOn,
    LastStatusChange: roll.chance(0.06)
      ? undefined
      : iso(Math.min(lastSwitch.at, lastUpdate ?? lastSwitch.at)),
    LastUpdate: lastUpdate === undefined ? undefined : iso(lastUpdate),
    DisplayName: name,
    Status: roll.pick([0, 0, 0, 0, 1, 2]),
    Orientation: roll.chance(0.5) ? roll.pick(['Landscape', 'Portrait']) : undefined,
    PendingOrientation: roll.chance(0.03) ? 'Portrait' : undefined,
  });
}

/** The last switch of a screen. It switches every 1 to 9 days, within the 24 hours before the clock's moment. */
function lastSwitchOf(settings: WorldSettings, index: number, number: number, day: number) {
  const roll = hash(settings.seed, SALT.screenSwitch, index, number);
  const period = 1 + (roll % 9);
  const count = Math.floor((day + ((roll >>> 4) % period)) / period);
  const switchDay = day - ((day + ((roll >>> 4) % period)) % period);
  const before = hours(23 * fraction(hash(settings.seed, SALT.screenDay, index, number * 100_000 + count)));
  return { isOn: ((roll >>> 12) + count) % 2 === 0, at: nowOf(settings.startDate, switchDay) - before };
}
