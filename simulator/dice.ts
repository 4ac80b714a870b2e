/** A whole number from 0 to 2^32 - 1 that depends only on its arguments (murmur3's mixing). */
export function hash(seed: number, a: number, b = 0, c = 0): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  h = mix(h ^ Math.imul(a, 0xcc9e2d51));
  h = mix(h ^ Math.imul(b + 0x165667b1, 0x1b873593));
  return mix(h ^ Math.imul(c + 0x27d4eb2f, 0xc2b2ae35));
}

/** The hash of a text, such as the path of a request. */
export function hashText(seed: number, text: string, a = 0): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return hash(seed, h, a);
}

/** From 0 up to, not including, 1. */
export function fraction(hashed: number): number {
  return hashed / 0x1_0000_0000;
}

/** A row of random draws that one hash decides: the same hash makes the same draws. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function dice(hashed: number): Dice {
  let state = hashed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return fraction(mix(state));
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
  };
}

function mix(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
