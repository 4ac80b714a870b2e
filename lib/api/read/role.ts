import type { Fact } from './facts.ts';
import { kindOfValue, switchOf, type ValueKind } from './value-kind.ts';
import * as is from './vocabulary.ts';
import { withoutVendor, wordsOf } from './words.ts';

export type NumberRole = 'page' | 'pages' | 'pageSize' | 'offset' | 'limit' | 'total';

/** What a fact means for pages. `last` is the opposite of `more`; `harmless` means nothing for records. */
export type Role = NumberRole | 'next' | 'token' | 'more' | 'last' | 'harmless';

/** The role of a fact by its own name, else with its object's name; undefined where no word decides. */
export function roleOfFact({ path, value, kind }: Pick<Fact, 'path' | 'value' | 'kind'>): Role | undefined {
  const own = wordsOf(path.at(-1) ?? '');
  const holder = path.length > 1 ? wordsOf(path.at(-2) ?? '') : [];
  const standsFor = own.every((word) => is.STANDS_FOR.has(word));
  if (holder.some((word) => is.DIRECTIONS.has(word)) || (standsFor && holder.length > 0))
    return roleOfName([...holder, ...own.filter((word) => !is.STANDS_FOR.has(word))], value, kind);
  const role = roleOfName(own, value, kind);
  if (role !== undefined || !holder.some((word) => is.PAGE.has(word))) return role;
  // In `pageInfo`, only a number with the name of a number is the page's.
  return kind === 'number' && own.some((word) => is.NUMBER.has(word) || CURRENT.has(word))
    ? 'page'
    : undefined;
}

const CURRENT = new Set(['index', 'current', 'this', 'position']);

/** The role of a name, by its words. */
function roleOfName(
  words: readonly string[],
  value: unknown,
  kind: ValueKind = kindOfValue(value),
): Role | undefined {
  const own = withoutVendor(words);
  const has = (some: ReadonlySet<string>): boolean => own.some((word) => some.has(word));
  if (has(is.HARMLESS_ALWAYS)) return 'harmless';
  const name: Name = { own, has };
  return (
    nextRole(name, value, kind) ??
    flagRole(name, value, kind) ??
    tokenRole(name, kind) ??
    (kind === 'number' ? numberRole(name) : undefined) ??
    // The last word names the thing. failure.ts handles how the call ended.
    (OF_CALLS.some((some) => some.has(own.at(-1) ?? '')) ? 'harmless' : undefined)
  );
}

const OF_CALLS = [is.HARMLESS, is.ENDS, is.SUCCESSES, is.MESSAGES, is.FAULTS];

interface Name {
  readonly own: readonly string[];
  readonly has: (words: ReadonlySet<string>) => boolean;
}

function nextRole({ own, has }: Name, value: unknown, kind: ValueKind): Role | undefined {
  if (has(is.NEXT)) {
    if (has(is.EVENTS) && !has(is.TOKEN) && !has(is.KEYS))
      return kind === 'address' || kind === 'token' ? undefined : 'harmless';
    if (kind === 'flag' || (kind === 'number' && has(is.ASKS))) return moreRole({ own, has }, value);
    return has(is.TOKEN) && kind !== 'address' ? 'token' : 'next';
  }
  if (has(is.ELSEWHERE)) return 'harmless';
  const isEdge = has(is.FIRST) || own.includes('last');
  if (isEdge && (kind === 'address' || kind === 'nothing' || kind === 'object')) return 'harmless';
  return has(is.FIRST) && kind === 'flag' ? 'harmless' : undefined;
}

function flagRole(name: Name, value: unknown, kind: ValueKind): Role | undefined {
  const { has } = name;
  // A flag that nothing was cut off does not prove that these are all pages.
  const isFlag = has(is.CUT) && switchOf(value) !== undefined;
  if (isFlag) return switchOf(value) === true || name.own.join(' ') === 'is truncated' ? 'more' : 'harmless';
  if (has(is.MORE)) {
    if (kind === 'address') return 'next';
    return switchOf(value) === undefined ? undefined : moreRole(name, value);
  }
  const isEnd = has(is.END) && (kind === 'flag' || (kind === 'number' && has(is.ASKS)));
  return isEnd && ofPages(name) ? 'last' : undefined;
}

/** `limitExceeded: false` and `hasMoreColumns: false` are not about pages. A yes leads to a question. */
function moreRole(name: Name, value: unknown): Role | undefined {
  if (ofPages(name)) return 'more';
  return switchOf(value) === false ? 'harmless' : 'more';
}

export function ofPages({ own }: Pick<Name, 'own'>): boolean {
  return own.every((word) => OF_PAGES.some((some) => some.has(word)));
}

const OF_PAGES = [is.MORE, is.NEXT, is.END, is.PAGE, is.THINGS, is.OF_FLAGS, is.LISTINGS];

function tokenRole({ own, has }: Name, kind: ValueKind): Role | undefined {
  // The last word names the thing: `cursorState` is not a token.
  const last = own.at(-1) ?? '';
  const isNamed = is.TOKEN.has(last) || is.KEYS.has(last) || has(is.VALUE);
  const isOffset = kind === 'token' && own.length === 1 && is.OFFSET.has(last);
  const isToken = (has(is.TOKEN) && isNamed) || (own.includes('last') && has(is.KEYS)) || isOffset;
  if (!isToken || own.includes('start')) return undefined;
  return kind === 'flag' || kind === 'object' ? undefined : 'token';
}

function numberRole({ own, has }: Name): Role | undefined {
  if (has(is.PAGE)) {
    if (own.includes('per')) return 'pageSize';
    if (own.includes('pages') || has(is.TOTAL) || has(is.END) || own.includes('max')) return 'pages';
    return has(is.SIZE) ? 'pageSize' : 'page';
  }
  if (has(is.TOTAL) && !has(is.OFFSET)) return 'total';
  if (has(is.OFFSET) || (has(is.FIRST) && (has(is.THINGS) || own.includes('index')))) return 'offset';
  if ((has(is.NUMBER) && has(is.THINGS)) || own.join(' ') === 'records') return 'total';
  return has(is.SIZE) ? 'limit' : undefined;
}

const OF_PAGING = [is.PAGE, is.OFFSET, is.SIZE, is.TOTAL, is.NUMBER, is.CUT];

/** True where an unknown fact might lead to more records. A number is checked again after all are counted. */
export function mayLead({ path, kind, value }: Fact, target: string): boolean {
  const words = wordsOf(path.at(-1) ?? '');
  if (kind === 'address') return String(value).includes('?') && !isSelf(String(value), target);
  const isTotal = words.some((word) => is.TOTAL.has(word));
  // `total: "40+"` is at least this many.
  if (kind === 'token')
    return isTotal ? /\d/.test(String(value)) : mayBeToken(String(value)) && !isEcho(String(value), target);
  if (kind === 'number') return words.some((word) => OF_PAGING.some((some) => some.has(word)));
  return (
    kind === 'flag' && switchOf(value) === true && words.some((word) => is.PAGE.has(word) || is.CUT.has(word))
  );
}

/** A cursor has figures, or letters of both cases at random; `in_progress`, `OK` and `readOnly` are words. */
function mayBeToken(text: string): boolean {
  const isWord =
    /^(\p{Lu}?\p{Ll}{2,}(\p{Lu}\p{Ll}{2,}){0,3}|\p{Lu}{1,20})([ ,;:./_-]{1,2}\p{L}{2,20}){0,5}$/u.test(text);
  // A mail address is not a token either.
  return text.length >= 6 && !isWord && !text.includes('@');
}

function isSelf(value: string, target: string): boolean {
  const here = new URL(target, 'http://localhost');
  const there = URL.parse(value, here.href);
  return there?.pathname === here.pathname && (there.search === '' || there.search === here.search);
}

function isEcho(value: string, target: string): boolean {
  return decodeURIComponent(target)
    .split(/[/?&=]/)
    .includes(value);
}
