/** Names of members and numbers of entries, from the root down. */
export type JsonPath = readonly (string | number)[];

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A member of an object or an entry of a list: where its value is. */
interface Child extends Span {
  readonly name: string | number;
}

const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * The text of a JSON document with a value at the path, everything else as it was, byte for byte. Objects on the way
 * that are not there are made; what is written has the indentation of its neighbours. The document must be JSON, and
 * every list entry on the way must be there.
 */
export function withValueAt(text: string, path: JsonPath, value: unknown): string {
  let at: Span = { from: skipBlank(text, text.startsWith('\uFEFF') ? 1 : 0), to: text.length };
  at = { ...at, to: endOfValue(text, at.from) };
  for (const [depth, name] of path.entries()) {
    const found = childrenOf(text, at).find((child) => child.name === name);
    if (found !== undefined) {
      at = found;
      continue;
    }
    if (typeof name === 'number' || text[at.from] !== '{')
      throw new Error(`there is no ${JSON.stringify(path.slice(0, depth + 1))} to write to`);
    const nested = path.slice(depth + 1).reduceRight<unknown>((below, key) => ({ [key]: below }), value);
    return withMember(text, at, { name, value: nested });
  }
  return `${text.slice(0, at.from)}${written(text, value, indentAt(text, at.from))}${text.slice(at.to)}`;
}

/** Puts a member behind the last one of an object. */
function withMember(
  text: string,
  object: Span,
  member: { readonly name: string; readonly value: unknown },
): string {
  const last = childrenOf(text, object).at(-1);
  const own = indentAt(text, object.from);
  const isOnOneLine = last !== undefined && !text.slice(object.from, last.from).includes('\n');
  const inner = last === undefined ? own + stepOf(text) : indentAt(text, last.from);
  const says = `${JSON.stringify(member.name)}: ${written(text, member.value, inner)}`;
  if (last === undefined)
    return `${text.slice(0, object.from)}{${eol(text)}${inner}${says}${eol(text)}${own}}${text.slice(object.to)}`;
  const gap = isOnOneLine ? ' ' : `${eol(text)}${inner}`;
  return `${text.slice(0, last.to)},${gap}${says}${text.slice(last.to)}`;
}

/** A value as JSON whose further lines are indented like the line that it begins on. */
function written(text: string, value: unknown, indent: string): string {
  const isFlat = !isTree(value) || (Array.isArray(value) && !value.some(isTree));
  if (isFlat)
    return Array.isArray(value)
      ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
      : JSON.stringify(value);
  return JSON.stringify(value, null, stepOf(text)).replaceAll('\n', `${eol(text)}${indent}`);
}

function isTree(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** What one level is indented by: as the first indented line has it. */
function stepOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function eol(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The blanks at the beginning of the line. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The members of an object or the entries of a list, in order; nothing of a scalar. */
function childrenOf(text: string, { from }: Span): readonly Child[] {
  const isObject = text[from] === '{';
  if (!isObject && text[from] !== '[') return [];
  const children: Child[] = [];
  let at = skipBlank(text, from + 1);
  while (text[at] !== '}' && text[at] !== ']') {
    let name: string | number = children.length;
    if (isObject) {
      const end = endOfValue(text, at);
      name = String(JSON.parse(text.slice(at, end)));
      at = skipBlank(text, skipBlank(text, end) + 1);
    }
    const to = endOfValue(text, at);
    children.push({ name, from: at, to });
    at = skipBlank(text, to);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return children;
}

/** Where the value that begins here ends. */
function endOfValue(text: string, from: number): number {
  if (text[from] === '{' || text[from] === '[') {
    const last = childrenOf(text, { from, to: text.length }).at(-1);
    return skipBlank(text, last?.to ?? from + 1) + 1;
  }
  return endOf(text[from] === '"' ? STRING : SCALAR, text, from);
}

function skipBlank(text: string, from: number): number {
  return endOf(BLANK, text, from);
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  if (!pattern.test(text)) throw new Error(`no JSON at ${from}`);
  return pattern.lastIndex;
}
