import { crc32 } from 'node:zlib';
import { CallFault } from '../call-fault.ts';
import { endOfToken, isNoNumber } from './parse.ts';

/** A body, or the part that has come. */
interface Stored {
  readonly bytes: number;
  readonly read: (from: number, to: number) => Buffer;
}

/** An open list or object, with the key or index of the current value. */
interface Level {
  readonly isObject: boolean;
  at: string | number;
}

type Due = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/** A token that JSON does not allow there, and the text before it. */
interface BadToken {
  readonly text: string;
  readonly before: string;
  readonly levels: readonly Level[];
}

const SHOWN = 20;
/** A text of this length takes twice as much memory. */
const LOOKED_THROUGH = 64 * 1024 * 1024;
const SPACE = /[ \t\r\n]*/y;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** The fault of a body that is not JSON. It names path, place and token, but no other value of a record. */
export function jsonFaultOf(body: Stored, status: number | null = null): CallFault {
  const bad = badTokenIn(body);
  if (bad === null) return new CallFault('BODY_NOT_JSON', 'the body is not JSON', status);
  const { text, before, levels } = bad;
  const lines = before.split('\n').length;
  const line = lines === 1 ? '' : `, line ${lines}`;
  const shown = text.startsWith('"') ? 'a text that JSON does not have there' : shownOf(text);
  const says = `the body is not JSON: at ${pathOf(levels)} (byte ${before.length}${line}) stands ${shown}`;
  return new CallFault('BODY_NOT_JSON', says, status, `${crc32(before)} ${text}`);
}

/** True where the body only ends too early, so the next one may be whole. */
export function isCutOff(body: Stored): boolean {
  return badTokenIn(body) === null;
}

/** The first token that JSON does not allow there; null where the text is JSON, ends too early, or is too long. */
function badTokenIn({ read, bytes }: Stored): BadToken | null {
  if (bytes > LOOKED_THROUGH) return null;
  // Each byte is one character, so places in the text are places in the body.
  const text = read(0, bytes).toString('latin1');
  const levels: Level[] = [];
  let due: Due = 'value';
  for (let at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0; ; ) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    if (at === text.length) return null;
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    const isCut = end === text.length && levels.length > 0 && !/^[{}[\],:]$/.test(token) && !isWhole(token);
    if (isCut) return null;
    const next = after(due, { token, levels });
    if (next === null) return { text: token, before: text.slice(0, at), levels };
    due = next;
    at = end;
  }
}

/** What JSON allows after a token; null if the token itself is not allowed. */
function after(
  due: Due,
  { token, levels }: { readonly token: string; readonly levels: Level[] },
): Due | null {
  const level = levels.at(-1);
  const closes = level !== undefined && token === (level.isObject ? '}' : ']');
  if (closes && (due === 'comma' || due === 'first key' || due === 'first value')) {
    levels.pop();
    return levels.length === 0 ? 'nothing' : 'comma';
  }
  if (due === 'colon') return token === ':' ? 'value' : null;
  if (due === 'comma') {
    if (token !== ',' || level === undefined) return null;
    if (typeof level.at === 'number') level.at += 1;
    return level.isObject ? 'key' : 'value';
  }
  if (due === 'key' || due === 'first key') {
    if (level === undefined || !token.startsWith('"') || !isWhole(token)) return null;
    level.at = String(JSON.parse(Buffer.from(token, 'latin1').toString()));
    return 'colon';
  }
  if (due === 'nothing') return null;
  if (token === '{' || token === '[') {
    levels.push({ isObject: token === '{', at: token === '{' ? '' : 0 });
    return token === '{' ? 'first key' : 'first value';
  }
  if (!isWhole(token) && !isNoNumber(token)) return null;
  return level === undefined ? 'nothing' : 'comma';
}

/** True for a complete string, number or word of JSON. */
export function isWhole(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

function shownOf(token: string): string {
  const text = Buffer.from(token, 'latin1').toString();
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** `players[17].Latitude`. */
function pathOf(levels: readonly Level[]): string {
  const path = levels
    .filter(({ at }) => at !== '')
    .map(({ at }) =>
      typeof at === 'number' || !/^[\w$@-]+$/.test(at) ? `[${JSON.stringify(at)}]` : `.${at}`,
    )
    .join('');
  return path === '' ? 'its beginning' : path.replace(/^\./, '');
}
