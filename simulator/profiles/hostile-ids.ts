import type { Json } from '../json.ts';
import { token } from './values.ts';

/** Ids of different kinds: a path must encode them, SQL must quote them, a double cannot hold them. */
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

/** The id as a client reads it from the record. */
export function hostileIdText(id: number): string {
  const written = hostileId(id);
  return typeof written === 'string' ? written : JSON.stringify(written);
}

/** The world's id for a text of `hostileIdText`; undefined for any other text. */
export function readHostileId(text: string): number | undefined {
  const candidates = (text.match(/\d+/g) ?? []).map((digits) =>
    digits.length > 15 ? Number(BigInt(digits) - BEYOND_DOUBLES) : Number(digits),
  );
  return candidates.find((id) => hostileIdText(id) === text);
}
