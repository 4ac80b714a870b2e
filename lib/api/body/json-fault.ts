import { crc32 } from 'node:zlib';
import { visitJson } from '../../config/parse-json.ts';
import { CallFault } from '../call-fault.ts';
import { endOfToken, isWhole, parseExact, withoutNoNumbers } from './parse.ts';

/** A body, or the part that has come. */
interface Stored {
  readonly bytes: number;
  readonly read: (from: number, to: number) => Buffer;
}

/** A token that JSON does not allow there, the text before it, and keys and indexes of the place. */
interface BadToken {
  readonly text: string;
  readonly before: string;
  readonly path: readonly (string | number)[];
}

const SHOWN = 20;
/** A text of this length takes twice as much memory. */
const LOOKED_THROUGH = 64 * 1024 * 1024;
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** The fault of a body that is not JSON. It names path, place and token, but no other value of a record. */
export function jsonFaultOf(body: Stored, status: number | null = null): CallFault {
  const bad = badTokenIn(body);
  if (bad === null) return new CallFault('BODY_NOT_JSON', 'the body is not JSON', status);
  const { text, before, path } = bad;
  const lines = before.split('\n').length;
  const line = lines === 1 ? '' : `, line ${lines}`;
  const shown = text.startsWith('"') ? 'a text that JSON does not have there' : shownOf(text);
  const says = `the body is not JSON: at ${placeOf(path)} (byte ${before.length}${line}) stands ${shown}`;
  return new CallFault('BODY_NOT_JSON', says, status, `${crc32(before)} ${text}`);
}

/** The JSON of a text of the body. Throws CallFault where it is not JSON. */
export function jsonIn(body: Stored, text: string, status: number | null = null): unknown {
  try {
    return parseExact(text);
  } catch {
    throw jsonFaultOf(body, status);
  }
}

/** True where the body only ends too early, so the next one may be whole. */
export function isCutOff(body: Stored): boolean {
  return badTokenIn(body) === null;
}

/** The first token that JSON does not allow there; null where the text is JSON, ends too early, or is too long. */
function badTokenIn({ read, bytes }: Stored): BadToken | null {
  if (bytes > LOOKED_THROUGH) return null;
  // Each byte is one character, so places in the text are places in the body.
  const text = read(0, bytes).toString('latin1').replace(BYTE_ORDER_MARK, '   ');
  const path: (string | number)[] = [];
  let first: Pick<BadToken, 'path'> & { readonly at: number } = { at: text.length, path };
  const end = () => void path.pop();
  visitJson(
    withoutNoNumbers(text, (word) => '0'.padEnd(word.length)),
    {
      onObjectBegin: () => void path.push(''),
      onArrayBegin: () => void path.push(0),
      onObjectProperty: (name) => void path.splice(-1, 1, utf8(name)),
      onSeparator: (sign) => {
        const index = path.at(-1);
        if (sign === ',' && typeof index === 'number') path.splice(-1, 1, index + 1);
      },
      onObjectEnd: end,
      onArrayEnd: end,
      onError: (_, at) => {
        if (at < first.at) first = { at, path: [...path] };
      },
    },
  );
  const to = endOfToken(text, first.at);
  const bad = text.slice(first.at, to);
  const isCut = to === text.length && first.path.length > 0 && !/^[{}[\],:]$/.test(bad) && !isWhole(bad);
  return bad === '' || isCut ? null : { text: bad, before: text.slice(0, first.at), path: first.path };
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString();

function shownOf(token: string): string {
  const text = utf8(token);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** `players[17].Latitude`. */
function placeOf(path: BadToken['path']): string {
  const parts = path
    .filter((at) => at !== '')
    .map((at) => (typeof at === 'number' || !/^[\w$@-]+$/.test(at) ? `[${JSON.stringify(at)}]` : `.${at}`));
  return parts.length === 0 ? 'its beginning' : parts.join('').replace(/^\./, '');
}
