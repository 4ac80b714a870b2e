import { nameOf, type Said } from '../beside/beside.ts';
import { kindOfValue, switchOf } from '../beside/said-value.ts';
import { faultAmong } from '../records/error-in-body.ts';

/** What a member says as a flag, `complet=true`: of a number whether it is not 0, of a word whether it tells no failure. Empty for others. */
export function flagOf(said: Said): readonly string[] {
  const value = sayingOf(said);
  return value === undefined ? [] : [`${nameOf(said)}=${value}`];
}

function sayingOf(said: Said): boolean | undefined {
  switch (kindOfValue(said.value)) {
    case 'flag':
      return switchOf(said.value);
    case 'count':
      return Number(said.value) !== 0;
    case 'token':
    case 'text':
      return faultAmong([said]) === null;
    default:
      return undefined;
  }
}

/** The same member saying the opposite. */
export function opposite(flag: string): string {
  return flag.endsWith('=true') ? flag.replace(/true$/, 'false') : flag.replace(/false$/, 'true');
}
