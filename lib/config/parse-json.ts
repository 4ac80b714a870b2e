/**
 * The error for a text that is not JSON. It says where and why, and quotes nothing of the text, which may be secret.
 */
export class JsonFault extends Error {
  constructor(text: string, at: number, what: string) {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    super(`line ${line}, column ${at - before.lastIndexOf('\n')}: ${what}`);
    this.name = 'JsonFault';
  }
}

const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** Deeper than any file that a person writes. */
const MAX_DEPTH = 100;

/**
 * The value of a strict JSON text, which may begin with a byte order mark. Unlike JSON.parse it refuses a
 * name that an object has twice, and reports the line and column of a fault. Throws JsonFault.
 */
export function parseJson(text: string): unknown {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const value = readValue(0);
  blank();
  if (at < text.length) fail('the JSON ends here, but the text goes on');
  return value;

  function readValue(depth: number): unknown {
    blank();
    if (depth > MAX_DEPTH) fail('this is nested too deep');
    if (text[at] === '{') return readObject(depth);
    if (text[at] === '[') return readList(depth);
    if (text[at] === '"') return readString();
    const scalar = token(SCALAR);
    return scalar === undefined
      ? fail(at < text.length ? 'a value is due here' : 'the text ends too early')
      : JSON.parse(scalar);
  }

  function readObject(depth: number): object {
    const members = new Map<string, unknown>();
    for (let first = true; !ends('}', first); first = false) {
      const nameAt = at;
      if (text[at] !== '"')
        fail(first ? 'a name in double quotes, or }, is due here' : 'a name in double quotes is due here');
      const name = readString();
      if (members.has(name)) fail(`the name ${JSON.stringify(name)} is here for the second time`, nameAt);
      blank();
      if (text[at] !== ':') fail('a colon is due here');
      step();
      members.set(name, readValue(depth + 1));
    }
    return Object.fromEntries(members);
  }

  function readList(depth: number): unknown[] {
    const values: unknown[] = [];
    for (let first = true; !ends(']', first); first = false) values.push(readValue(depth + 1));
    return values;
  }

  /**
   * Steps over the opening bracket, or over the comma before the next member. Returns true if it steps over
   * the closing bracket.
   */
  function ends(bracket: '}' | ']', first: boolean): boolean {
    if (!first) {
      blank();
      if (text[at] === bracket) return step();
      if (text[at] !== ',')
        fail(at < text.length ? `a comma or ${bracket} is due here` : 'the text ends too early');
    }
    const openedAt = at;
    step();
    blank();
    if (text[at] !== bracket) return false;
    if (!first) fail(`this comma before ${bracket} is one too many`, openedAt);
    return step();
  }

  function step(): true {
    at += 1;
    return true;
  }

  function readString(): string {
    const startsAt = at;
    const found = token(STRING);
    try {
      if (found !== undefined) return JSON.parse(found);
    } catch {
      // Reported below, without the text.
    }
    return fail(
      'this text has no closing quote, or a line break, tab or backslash that JSON does not allow',
      startsAt,
    );
  }

  function token(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }

  function blank(): void {
    token(BLANK);
    if (text[at] === '/' || text[at] === '#') fail('JSON has no comments: remove this one');
  }

  function fail(what: string, where = at): never {
    throw new JsonFault(text, where, what);
  }
}
