import type { Said } from './beside.ts';
import { isAddress, kindOfValue } from './said-value.ts';
import { wordsOf } from './words.ts';

/** Names of an address that is the answer's own. */
const OWN = new Set(['href', 'url', 'uri']);

/** The call, and a member of its answer. */
export interface Asked {
  /** Path and query of the call. */
  readonly target: string;
  /** The words of the member's name. */
  readonly own: readonly string[];
}

/** True for a value that says only which call it was: its address, or a word of it. */
export function repeatsCall(value: unknown, asked: Asked): boolean {
  return isSelf(value, asked) || isEcho(value, asked) || saysQuery(value, asked.target);
}

/** True for the address of the call itself, or that of the listing without its query; for `href` any without one. */
function isSelf(value: unknown, { target, own }: Asked): boolean {
  if (typeof value !== 'string' || !isAddress(value)) return false;
  if (own.every((word) => OWN.has(word)) && !value.includes('?')) return true;
  const here = new URL(`http://localhost${target}`);
  const there = URL.parse(value, here.href);
  return there?.pathname === here.pathname && (there.search === '' || there.search === here.search);
}

/** True for a segment of the path, with or without its ending, or a value of the query: `"table": "players"` of `/players.json`. */
function isEcho(value: unknown, { target }: Asked): boolean {
  if (kindOfValue(value) !== 'token') return false;
  const { pathname, searchParams } = new URL(`http://localhost${target}`);
  const segments = pathname.split('/').flatMap((each) => [each, each.replace(/\.[a-z]{2,5}$/i, '')]);
  // A lone surrogate, which no address can hold.
  const text = String(value).toWellFormed();
  return segments.includes(encodeURIComponent(text)) || [...searchParams.values()].includes(text);
}

/**
 * True for a text that says the parameters of the query and hardly a word more: `where player_id = 63`. Between two of them
 * there may be a word, and one at the beginning.
 */
export function saysQuery(value: unknown, target: string): boolean {
  if (!['text', 'token'].includes(kindOfValue(value))) return false;
  let rest = String(value);
  let said = 0;
  for (const [name, asked] of new URL(`http://localhost${target}`).searchParams) {
    const at = rest.indexOf(name);
    const [sign = ''] = /^\s*[=:]+\s*["']?/.exec(rest.slice(at + name.length)) ?? [];
    const from = at + name.length + sign.length;
    if (at === -1 || sign === '' || asked === '' || !rest.startsWith(asked, from)) continue;
    rest = `${rest.slice(0, at)}\0${rest.slice(from + asked.length).replace(/^["']/, '')}`;
    said += 1;
  }
  return said > 0 && /^([\p{L}]+\s+)?\0(\s+[\p{L}]+\s+\0)*$/u.test(rest.trim());
}

const THIS = new Set(['current', 'this']);
const PAGE = new Set(['page', 'pg']);

/** True for what this page is asked for with, where another member says how the next one is: `current_page: "Pg%3D%3D"`. */
export function isOwnPage({ path, value }: Said): boolean {
  const words = wordsOf(path.at(-1) ?? '');
  const kind = kindOfValue(value);
  const isNamed = words.some((word) => THIS.has(word)) && words.some((word) => PAGE.has(word));
  return isNamed && (kind === 'token' || kind === 'address');
}
