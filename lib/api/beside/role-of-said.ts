import type { Said } from './beside.ts';
import { type Role, roleOf } from './page-roles.ts';
import { wordsOf } from './words.ts';

/** Names of members that stand for the object that holds them. */
const STANDS_FOR = new Set(['href', 'url', 'uri', 'link', 'path', 'value', 'parsed', 'source']);
/** Words of a number by which its object's name says what it is of: `page: {"number": 1}`. */
const NUMBERS = new Set(['number', 'num', 'no', 'nr', 'index', 'idx', 'current', 'this', 'position']);
/** Objects whose name says a direction, which belongs to the names of their members. */
const DIRECTIONS = new Set(['next', 'prev', 'previous', 'first', 'last', 'self', 'older', 'newer']);

/** The role of a member by its own name, else by the name of its object and its own. */
export function roleOfSaid({ path, value, isAside }: Said, own: readonly string[]): Role | undefined {
  if (isAside) return 'idle';
  const holder = path.length > 1 ? wordsOf(path.at(-2) ?? '') : [];
  const belongs = holder.some((word) => DIRECTIONS.has(word)) || own.every((word) => STANDS_FOR.has(word));
  if (belongs && holder.length > 0)
    return roleOf([...holder, ...own.filter((word) => !STANDS_FOR.has(word))], value);
  const role = roleOf(own, value);
  if (role !== undefined || holder.length === 0) return role;
  // An object that is idle by its name may have members that are not.
  const withHolder = roleOf([...holder, ...own], value);
  // Of the numbers in `pageInfo`, only one that is called a number is the page's.
  const isOther = withHolder === 'page' && !own.some((word) => NUMBERS.has(word));
  return withHolder === 'idle' || isOther ? undefined : withHolder;
}

/** True for a member of the link to another page: `_links.prev.href`. */
export function isOfLink({ path }: Said): boolean {
  return path.slice(0, -1).some((name) => wordsOf(name).some((each) => DIRECTIONS.has(each)));
}
