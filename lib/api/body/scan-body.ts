import {
  BACKSLASH,
  byteAt,
  CLOSE,
  COLON,
  COMMA,
  endsWord,
  isBomByte,
  isSpace,
  kindOfFirstByte,
  NEW_LINE,
  OPEN,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  skipSpace,
} from './json-bytes.ts';
import type { Container, JsonKind, Scan, ScanProblem } from './scan.ts';
import { createCapture } from './scan-capture.ts';
import {
  closeFrame,
  endChild,
  type Frame,
  linesBehind,
  noteChild,
  openFrame,
  TRACKED_MEMBERS,
} from './scan-frame.ts';

export interface Scanner {
  /** Takes the next bytes of the body. False: the body is no JSON, so the rest need not be read. */
  readonly push: (chunk: Uint8Array) => boolean;
  readonly end: () => Scan;
}

/** Deeper than any envelope; what is deeper is not looked into. */
const TRACKED_DEPTH = 16;
/** A child that is not kept. */
const UNTRACKED = { text: null, container: null };

type State = 'start' | 'between' | 'key' | 'colon' | 'value' | 'string' | 'word' | 'deep' | 'done' | 'failed';

/**
 * A streaming scanner of one JSON body in UTF-8. In one pass and bounded memory, it finds where the containers of the
 * envelope begin, end and can be cut. It reads only tracked containers (the root, its members, and so on) closely, and
 * skips everything below by counting brackets outside strings. What is nested deeper than
 * `maxDepth` is a problem: code that reads such a value by calling itself runs out of stack.
 */
export function createScanner(maxDepth: number): Scanner {
  const frames: Frame[] = [];
  const capture = createCapture();
  let state: State = 'start';
  let problem: ScanProblem | null = null;
  let root: JsonKind | 'none' = 'none';
  let rootContainer: Container | null = null;
  let bom = false;
  let base = 0;
  let colons = 0;
  let deep = 0;
  let deepKind: JsonKind = 'object';
  let inString = false;
  let escaped = false;
  let wordKind: JsonKind = 'null';
  /** Takes the values that come one behind the other without a list around them. */
  let lines: Frame | null = null;
  let isNewLine = false;

  const fail = (why: ScanProblem): number => {
    problem = why;
    state = 'failed';
    return Number.MAX_SAFE_INTEGER;
  };

  function push(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) at = steps[state](chunk, at);
    if (state === 'key' || state === 'string' || state === 'word') capture.carry(chunk);
    base += chunk.length;
    return state !== 'failed';
  }

  function start(chunk: Uint8Array, from: number): number {
    let at = from;
    if (base + at < 3 && isBomByte(byteAt(chunk, at), base + at)) {
      bom = true;
      return at + 1;
    }
    at = skipSpace(chunk, at);
    if (at === chunk.length) return at;
    if (chunk[at] === 0x3c) return fail('html');
    return value(chunk, at);
  }

  function between(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length && (isSpace(byteAt(chunk, at)) || chunk[at] === COMMA)) at += 1;
    if (at === chunk.length) return at;
    const c = byteAt(chunk, at);
    const frame = frames.at(-1);
    if (frame === undefined || (frame === lines && c !== OPEN_OBJECT)) return fail('not-json');
    if ((c | SPACE) === CLOSE) return close(c, at);
    if (frame.kind === 'array') return value(chunk, at);
    if (c !== QUOTE) return fail('not-json');
    noteFirst(frame, at);
    capture.begin(at);
    state = 'key';
    return at + 1;
  }

  function key(chunk: Uint8Array, from: number): number {
    const at = skipString(chunk, from);
    if (at === -1) return chunk.length;
    const frame = frames.at(-1);
    if (frame !== undefined)
      frame.name = frame.members.length < TRACKED_MEMBERS ? textOfKey(capture.end(chunk, at)) : '';
    state = 'colon';
    return at;
  }

  function colon(chunk: Uint8Array, from: number): number {
    const at = skipSpace(chunk, from);
    if (at === chunk.length) return at;
    if (chunk[at] !== COLON) return fail('not-json');
    colons += 1;
    state = 'value';
    return at + 1;
  }

  function value(chunk: Uint8Array, from: number): number {
    const at = skipSpace(chunk, from);
    if (at === chunk.length) return at;
    const c = byteAt(chunk, at);
    const kind = kindOfFirstByte(c);
    if (kind === undefined) return fail('not-json');
    const frame = frames.at(-1);
    if (frame === undefined) root = kind;
    else if (frame.kind === 'array') noteFirst(frame, at);
    if (kind === 'object' || kind === 'array') return open(kind, at);
    capture.begin(at);
    wordKind = kind;
    state = kind === 'string' ? 'string' : 'word';
    return at + 1;
  }

  function open(kind: 'object' | 'array', at: number): number {
    const parent = frames.at(-1);
    if (parent === undefined || isTracked(parent)) {
      const path = parent === undefined ? [] : [...parent.path, parent.name];
      if (frames.length >= maxDepth) return fail('too-deep');
      frames.push(openFrame({ path, kind, from: base + at, colonsBefore: colons }));
      state = 'between';
      return at + 1;
    }
    if (frames.length >= maxDepth) return fail('too-deep');
    deep = 1;
    deepKind = kind;
    state = 'deep';
    return at + 1;
  }

  function isTracked(parent: Frame): boolean {
    return (
      parent.kind === 'object' && frames.length < TRACKED_DEPTH && parent.members.length < TRACKED_MEMBERS
    );
  }

  function close(c: number, at: number): number {
    const frame = frames.pop();
    if (frame === undefined || (c === CLOSE) !== (frame.kind === 'object')) return fail('not-json');
    const container = closeFrame(frame, base + at + 1);
    if (frames.length === 0) rootContainer = container;
    ended(frame.kind, at + 1, { text: null, container });
    return at + 1;
  }

  function string(chunk: Uint8Array, from: number): number {
    const at = skipString(chunk, from);
    if (at === -1) return chunk.length;
    const text = capture.end(chunk, at);
    if (text !== null && !isJsonScalar(text)) return fail('not-json');
    ended('string', at, { text, container: null });
    return at;
  }

  function word(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length && !endsWord(byteAt(chunk, at))) at += 1;
    if (at === chunk.length) return at;
    const text = capture.end(chunk, at);
    if (text !== null && !isJsonScalar(text)) return fail('not-json');
    ended(wordKind, at, { text, container: null });
    return at;
  }

  /** The hot loop: inside a record, only strings, brackets and colons matter. */
  function skipDeep(chunk: Uint8Array, from: number): number {
    const length = chunk.length;
    let at = from;
    if (inString) {
      at = skipString(chunk, at);
      if (at === -1) return length;
    }
    let depth = deep;
    let seen = colons;
    const deepest = maxDepth - frames.length;
    while (at < length) {
      const c = byteAt(chunk, at);
      at += 1;
      if (c === QUOTE) {
        let s = 0;
        while (at < length) {
          s = byteAt(chunk, at);
          at += 1;
          if (s === QUOTE) break;
          if (s === BACKSLASH) at += 1;
        }
        if (s !== QUOTE || at > length) {
          inString = true;
          escaped = at > length;
          at = length;
        }
      } else if (c === COLON) {
        seen += 1;
      } else if (c > 0x5a) {
        const bracket = c | SPACE;
        if (bracket === OPEN) {
          depth += 1;
          if (depth > deepest) return fail('too-deep');
        } else if (bracket === CLOSE) {
          depth -= 1;
          if (depth === 0) break;
        }
      }
    }
    deep = depth;
    colons = seen;
    if (depth === 0) ended(deepKind, at, UNTRACKED);
    return at;
  }

  /** The index after the string's closing quote; -1 if the chunk ends first. */
  function skipString(chunk: Uint8Array, from: number): number {
    let at = from;
    if (escaped) {
      escaped = false;
      at += 1;
    }
    while (at < chunk.length) {
      const c = byteAt(chunk, at);
      at += 1;
      if (c === QUOTE) {
        inString = false;
        return at;
      }
      if (c === BACKSLASH) {
        escaped = at === chunk.length;
        at += 1;
      }
    }
    inString = true;
    return -1;
  }

  function ended(
    kind: JsonKind,
    at: number,
    child: { text: string | null; container: Container | null },
  ): void {
    const frame = frames.at(-1);
    if (frame === undefined) {
      state = 'done';
      return;
    }
    noteChild(frame, kind, child);
    endChild(frame, base + at, colons);
    state = 'between';
  }

  function done(chunk: Uint8Array, from: number): number {
    const at = skipSpace(chunk, from);
    isNewLine ||= chunk.subarray(from, at).includes(NEW_LINE);
    if (at === chunk.length) return at;
    const isLine = isNewLine && root === 'object' && chunk[at] === OPEN_OBJECT;
    if (!isLine || rootContainer === null) return fail('not-json');
    lines = linesBehind(rootContainer, colons);
    frames.push(lines);
    return value(chunk, at);
  }

  function noteFirst(frame: Frame, at: number): void {
    if (frame.first !== -1) return;
    frame.first = base + at;
    frame.pieceFrom = base + at;
  }

  function end(): Scan {
    if (state === 'word' && frames.length === 0) state = 'done';
    if (lines !== null && frames.length === 1 && state === 'between') {
      state = 'done';
      rootContainer = closeFrame(lines, base);
    }
    const cutShort = state !== 'done' && state !== 'failed' && root !== 'none';
    const found = problem ?? (cutShort ? 'truncated' : null);
    const isLines = lines !== null;
    return { bytes: base, bom, root, container: rootContainer, isLines, problem: found };
  }

  const steps: Readonly<Record<State, (chunk: Uint8Array, from: number) => number>> = {
    start,
    between,
    key,
    colon,
    value,
    string,
    word,
    deep: skipDeep,
    done,
    failed: () => Number.MAX_SAFE_INTEGER,
  };

  return { push, end };
}

/** True if a token beside the records is valid JSON; only then its value is used. */
function isJsonScalar(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textOfKey(text: string | null): string {
  if (text === null) return '';
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
