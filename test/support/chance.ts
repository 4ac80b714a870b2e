/** Randomness that a seed decides. */
export type Chance = ReturnType<typeof createChance>;

/** Random numbers by mulberry32: its 32 bits of state are enough to choose moments. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function createChance(seed: number) {
  let state = seed * 0x9e3779b9;
  /** From 0, below 1. */
  const number = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    number,
    oneOf: <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(number() * items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
  };
}
