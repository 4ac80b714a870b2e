import { MAP_KEY } from '../../lake/raw/marks.ts';
import { endOfString } from '../body/mend.ts';

/** The entries of a JSON object of objects as an array of records, each with its key as the first member `$key`. */
export function mapAsRecords(text: string): string {
  const records: string[] = [];
  let at = text.indexOf('"');
  while (at !== -1) {
    const keyEnd = endOfString(text, at);
    const from = text.indexOf('{', keyEnd);
    const to = endOfObject(text, from);
    records.push(withKey(text.slice(at, keyEnd), text.slice(from, to)));
    at = text.indexOf('"', to);
  }
  return `[${records.join(',')}]`;
}

/** The record with its key, unless it has a `$key` of its own. */
function withKey(key: string, record: string): string {
  if (record.includes(MAP_KEY) && Object.hasOwn(JSON.parse(record), MAP_KEY)) return record;
  const rest = record.slice(1).trimStart();
  return `{${JSON.stringify(MAP_KEY)}:${key}${rest === '}' ? '' : ','}${rest}`;
}

function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const c = text.charCodeAt(at);
    if (c === 0x22) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (c === 0x7b || c === 0x5b) depth += 1;
    else if (c === 0x7d || c === 0x5d) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
