import type { Json } from '../json.ts';
import { token } from './values.ts';

/** Ids that a path has to encode, that SQL has to quote, that a double cannot hold, and that differ in kind. */
const WRITERS: readonly ((id: number) => Json)[] = [
  (id) => id,
  (id) => `A/${id}`,
  (id) => `B ${id}`,
  (id) => `${id}%25`,
  (id) => `Ü${id}`,
  (id) => `../${id}`,
  (id) => `${id}?x=1&y`,
  (id) => `${id}#top`,
  (id) => `"${id}'; DROP TABLE players; --`,
  (id) => token(String(BEYOND_DOUBLES + BigInt(id))),
];

const BEYOND_DOUBLES = 9_000_000_000_000_000_000n;

export function hostileId(id: number): Json {
  return (WRITERS[id % WRITERS.length] ?? String)(id);
}

/** The id as a client has it after reading the record. */
export function hostileIdText(id: number): string {
  const written = hostileId(id);
  return typeof written === 'string' ? written : JSON.stringify(written);
}

/** The world's id of such a text; undefined if it is none. */
export function readHostileId(text: string): number | undefined {
  const candidates = (text.match(/\d+/g) ?? []).map((digits) =>
    digits.length > 15 ? Number(BigInt(digits) - BEYOND_DOUBLES) : Number(digits),
  );
  return candidates.find((id) => hostileIdText(id) === text);
}
