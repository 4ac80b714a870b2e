import { dice, hash } from '../dice.ts';
import { type JsonObject, omitUndefined } from '../json.ts';
import { days, iso, nowOf } from './clock.ts';
import { SALT, type WorldSettings } from './settings.ts';
import { APP_GROUPS } from './words.ts';

/** The records of /AppGroups. Their fields are invented: no public sample was found. */
export function appGroupRecords(settings: WorldSettings, day: number): JsonObject[] {
  const count = Math.min(60, Math.max(4, Math.ceil(settings.players / 40)));
  return Array.from({ length: count }, (_, index) => appGroupRecord(settings, index, day));
}

/** The groups are a tree: the first three are roots, every other one lies below an earlier one. */
function appGroupRecord(settings: WorldSettings, index: number, day: number): JsonObject {
  const roll = dice(hash(settings.seed, SALT.appGroup, index));
  const parent = index < 3 ? undefined : 501 + roll.below(index);
  // The first group is edited every day, the others once in two weeks.
  const editedDay = index === 0 ? day : day - ((day + roll.below(14)) % 14);
  return omitUndefined({
    Id: 501 + index,
    Name: `${roll.pick(APP_GROUPS)} ${index + 1}`,
    ParentId: parent,
    Description: roll.chance(0.4) ? 'Läuft auf allen Kassen, auch "Express"' : undefined,
    IsDefault: index === 0,
    AppCount: roll.below(40),
    Created: iso(nowOf(settings.startDate, 0) - days(100 + roll.below(900))),
    Modified: iso(nowOf(settings.startDate, editedDay) - days(roll.next())),
  });
}
