import { isOddShort, isTurnedShort } from './odd.ts';
import type { Answered } from './operator.ts';
import type { Shape } from './shape.ts';
import { isToldShort, namesTold } from './told.ts';
import { headerName } from './words.ts';

type Day = 0 | 1;

/** Whether records are missing on a day, and the answer tells so in a way of its own. */
export function isShort({ told, turns, odd }: Shape, day: Day): boolean {
  return isToldShort(told, day) || isTurnedShort(turns, day) || isOddShort(odd, day);
}

/** Whether the config says twice that a listing is whole: it ignores the number that has turned, and says `complete` (0181). */
export function isVouchedFor(shape: Shape, day: Day, { complete, ignore }: Answered): boolean {
  const isIgnored = shape.turns !== null && ignore?.includes(shape.turns.name) === true;
  return isTurnedShort(shape.turns, day) && isIgnored && complete === true;
}

/** Whether a message speaks of what tells so. */
export function namesShort(
  { told, turns, odd }: Shape,
  { day, message }: { readonly day: Day; readonly message: string },
): boolean {
  if (isToldShort(told, day)) return namesTold(told, message) !== null;
  const name = isTurnedShort(turns, day) ? turns?.name : isOddShort(odd, day) ? odd?.name : undefined;
  return name !== undefined && [name, headerName(name).toLowerCase()].some((each) => message.includes(each));
}
