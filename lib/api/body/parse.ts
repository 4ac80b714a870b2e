interface SourceContext {
  readonly source?: string;
}

/** Only integers of 16 and more digits can be beyond 2^53; a string with such digits behind a colon costs a slower parse. */
const LONG_INTEGER = /[:[,]\s*-?\d{16}/;

/** JSON.parse, but an integer beyond 2^53 becomes its digits as a string. Throws SyntaxError. */
export function parseExact(text: string): unknown {
  return LONG_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: SourceContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}

/** Object members in a parsed value at any depth; fewer than the text has where keys repeat in one object. */
export function countMembers(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) open.push(item);
      continue;
    }
    for (const item of Object.values(next)) {
      count += 1;
      if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return count;
}
