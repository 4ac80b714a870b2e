import { isNoNumber, isWhole } from './parse.ts';
import {
  beginChild,
  type Container,
  closed,
  endChild,
  type Frame,
  type JsonKind,
  keeps,
  newFrame,
  type Scan,
} from './scan.ts';
import {
  byteAt,
  CLOSE,
  COLON,
  COMMA,
  endsWord,
  isSpace,
  QUOTE,
  type Skip,
  SPACE,
  skipRecord,
  skipSpace,
  skipString,
} from './scan-skip.ts';

export interface Scanner {
  /** Takes the next bytes of the body. False: the body is not JSON, so nobody needs the rest. */
  readonly push: (chunk: Buffer) => boolean;
  readonly end: () => Scan;
}

const LESS_THAN = 0x3c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Deeper than any envelope; the scanner does not look below. */
const TRACKED_DEPTH = 16;
/** Totals, page numbers, cursors and next URLs are shorter. */
const KEPT_BYTES = 1024;

/** The kind of a value that begins with this character. */
const KINDS: Readonly<Record<string, JsonKind>> = {
  ...{ '{': 'object', '[': 'array', '"': 'string', t: 'boolean', f: 'boolean', n: 'null' },
  ...Object.fromEntries([...'-0123456789NI'].map((c) => [c, 'number'] as const)),
};
const KIND_OF_BYTE = Array.from({ length: 256 }, (_, c) => KINDS[String.fromCharCode(c)]);

type Step = 'start' | 'between' | 'colon' | 'value' | 'string' | 'word' | 'deep' | 'done' | 'failed';

/**
 * A streaming scanner of one JSON body in UTF-8. In one pass and bounded memory, it finds where the
 * envelope's containers begin, end and can be cut. It reads only tracked containers (the root, its members,
 * and so on) closely. Below them it only counts brackets outside strings. A nesting deeper than `maxDepth` is
 * a problem: recursive code runs out of stack there. `read` returns bytes that were pushed.
 */
export function createScanner(maxDepth: number, read: (from: number, to: number) => Buffer): Scanner {
  const frames: Frame[] = [];
  let state: Step = 'start';
  let problem: Scan['problem'] = null;
  let root: Scan['root'] = 'none';
  let rootContainer: Container | null = null;
  let bom = false;
  /** Bytes before the current chunk. */
  let base = 0;
  const skip: Skip = { depth: 0, colons: 0, inString: false, escaped: false };
  /** The kind of the current value, and where it, or the current key, begins. */
  let kind: JsonKind = 'null';
  let tokenFrom = 0;
  let isKey = false;

  const fail = (why: Scan['problem']): number => {
    problem = why;
    state = 'failed';
    return Number.MAX_SAFE_INTEGER;
  };

  function push(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) at = steps[state](chunk, at);
    base += chunk.length;
    return state !== 'failed';
  }

  function start(chunk: Buffer, from: number): number {
    if (base + from < 3 && chunk[from] === BYTE_ORDER_MARK[base + from]) {
      bom = true;
      return from + 1;
    }
    const at = skipSpace(chunk, from);
    return chunk[at] === LESS_THAN ? fail('html') : value(chunk, at);
  }

  function between(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && (isSpace(byteAt(chunk, at)) || chunk[at] === COMMA)) at += 1;
    if (at === chunk.length) return at;
    const c = byteAt(chunk, at);
    const frame = frames.at(-1);
    if (frame === undefined) return fail('not-json');
    if ((c | SPACE) === CLOSE) return close(c, at);
    if (frame.kind === 'array') return value(chunk, at);
    if (c !== QUOTE) return fail('not-json');
    beginChild(frame, base + at);
    return tokenBegins('string', at, true);
  }

  function tokenBegins(next: 'string' | 'word', at: number, ofKey = false): number {
    state = next;
    isKey = ofKey;
    tokenFrom = base + at;
    return at + 1;
  }

  function colon(chunk: Buffer, from: number): number {
    const at = skipSpace(chunk, from);
    if (at === chunk.length) return at;
    if (chunk[at] !== COLON) return fail('not-json');
    skip.colons += 1;
    state = 'value';
    return at + 1;
  }

  function value(chunk: Buffer, from: number): number {
    const at = skipSpace(chunk, from);
    if (at === chunk.length) return at;
    const found = KIND_OF_BYTE[byteAt(chunk, at)];
    if (found === undefined) return fail('not-json');
    const frame = frames.at(-1);
    if (frame === undefined) root = found;
    else if (frame.kind === 'array') beginChild(frame, base + at);
    kind = found;
    if (found === 'object' || found === 'array') return open(found, at);
    return tokenBegins(found === 'string' ? 'string' : 'word', at);
  }

  function open(opened: 'object' | 'array', at: number): number {
    if (frames.length >= maxDepth) return fail('too-deep');
    const parent = frames.at(-1);
    if (parent === undefined || (frames.length < TRACKED_DEPTH && keeps(parent))) {
      const path = parent === undefined ? [] : [...parent.path, parent.name];
      frames.push(newFrame({ path, kind: opened, from: base + at, colonsBefore: skip.colons }));
      state = 'between';
    } else {
      skip.depth = 1;
      state = 'deep';
    }
    return at + 1;
  }

  function close(c: number, at: number): number {
    const frame = frames.pop();
    if (frame === undefined || (c === CLOSE) !== (frame.kind === 'object')) return fail('not-json');
    const container = closed(frame, base + at + 1);
    if (frames.length === 0) rootContainer = container;
    kind = frame.kind;
    return ended(at + 1, null, container);
  }

  function string(chunk: Buffer, from: number): number {
    const at = skipString(chunk, from, skip);
    if (at === -1) return chunk.length;
    if (!isKey) return ended(at, tokenText(at));
    const frame = frames.at(-1);
    if (frame !== undefined && keeps(frame)) frame.name = nameOf(tokenText(at));
    state = 'colon';
    return at;
  }

  function word(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && !endsWord(byteAt(chunk, at))) at += 1;
    if (at === chunk.length) return at;
    const text = tokenText(at);
    const isNone = text !== null && isNoNumber(text);
    if (text !== null && !isNone && !isWhole(text)) return fail('not-json');
    if (isNone) kind = 'null';
    return ended(at, isNone ? 'null' : text);
  }

  /** The text of the current token, if a member or its name needs it; null where it is longer than 1 kB. */
  function tokenText(at: number): string | null {
    const frame = frames.at(-1);
    const isKept = frame !== undefined && keeps(frame) && base + at - tokenFrom <= KEPT_BYTES;
    return isKept ? read(tokenFrom, base + at).toString() : null;
  }

  function skipDeep(chunk: Buffer, from: number): number {
    const at = skipRecord(chunk, { from, skip, deepest: maxDepth - frames.length });
    if (at === -1) return fail('too-deep');
    return skip.depth === 0 ? ended(at, null) : at;
  }

  function ended(at: number, text: string | null, container: Container | null = null): number {
    const frame = frames.at(-1);
    state = frame === undefined ? 'done' : 'between';
    if (frame !== undefined) endChild(frame, { kind, text, container, end: base + at, colons: skip.colons });
    return at;
  }

  function done(chunk: Buffer, from: number): number {
    const at = skipSpace(chunk, from);
    return at === chunk.length ? at : fail('not-json');
  }

  function end(): Scan {
    if (state === 'word' && frames.length === 0) state = 'done';
    const cutShort = state !== 'done' && state !== 'failed' && root !== 'none';
    const found = problem ?? (cutShort ? 'truncated' : null);
    return { bytes: base, bom, root, container: rootContainer, problem: found };
  }

  const failed = () => Number.MAX_SAFE_INTEGER;
  const steps = { start, between, colon, value, string, word, deep: skipDeep, done, failed };

  return { push, end };
}

/** The name in a key's text; empty where it is too long. */
function nameOf(key: string | null): string {
  if (key === null) return '';
  if (!key.includes('\\')) return key.slice(1, -1);
  return isWhole(key) ? String(JSON.parse(key)) : key;
}
