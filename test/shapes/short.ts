import { isOddShort, isTurnedShort, MOVED } from './odd.ts';
import type { Answered } from './operator.ts';
import type { Shape } from './shape.ts';
import { isToldShort, namesTold } from './told.ts';
import { headerName } from './words.ts';

type Day = 0 | 1;

/** Whether records are missing on a day, and the answer tells so in a way of its own. */
export function isShort({ told, turns, odd, windowed }: Shape, day: Day): boolean {
  return windowed !== null || isToldShort(told, day) || isTurnedShort(turns, day) || isOddShort(odd, day);
}

/**
 * Whether the config says that a listing is whole: it says `complete`, and ignores the number that has turned. A place of
 * the records has no name to ignore.
 */
export function isVouchedFor(shape: Shape, day: Day, { complete, ignore }: Answered): boolean {
  if (shape.windowed !== null) return complete === true;
  const { turns } = shape;
  const isIgnored = turns !== null && (turns.name === MOVED || ignore?.includes(turns.name) === true);
  return isTurnedShort(turns, day) && isIgnored && complete === true;
}

/** Whether a message speaks of what tells so. */
export function namesShort(
  { told, turns, odd, windowed }: Shape,
  { day, message }: { readonly day: Day; readonly message: string },
): boolean {
  if (windowed !== null)
    return windowed.form === 'bare' ? /\bpage 3\b/i.test(message) : message.includes(`"${windowed.name}"`);
  if (isToldShort(told, day)) return namesTold(told, message) !== null;
  const name = isTurnedShort(turns, day) ? turns?.name : isOddShort(odd, day) ? odd?.name : undefined;
  return name !== undefined && [name, headerName(name).toLowerCase()].some((each) => message.includes(each));
}
