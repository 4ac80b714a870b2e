/** The id of the player with index 0. */
export const FIRST_PLAYER_ID = 100_001;

/** Who is there on which day. An index is a player for ever; a player that has gone does not come back. */
export interface Population {
  /** Players on any day. */
  readonly size: number;
  /** The indexes of the players of a day, ascending; found when first asked for. */
  indexes(day: number): () => Uint32Array;
  has(index: number, day: number): boolean;
  /** The first day on which the player is there; 0 for those that were there from the start. */
  arrival(index: number): number;
}

/**
 * One in a hundred goes and one in a hundred comes on each day, so that the number stays. They queue up to go: the
 * first inhabitants in an order shuffled by the seed, then the newcomers as they came. So every answer is one sum.
 */
export function population(size: number, seed: number): Population {
  const turnover = size < 2 ? 0 : Math.max(1, Math.round(size / 100));
  const step = coprimeStep(size, seed);
  const placeInQueue = (index: number) => (index < size ? (index * step + (seed % size)) % size : index);
  const departure = (index: number) =>
    turnover === 0 ? Infinity : Math.floor(placeInQueue(index) / turnover) + 1;
  const arrival = (index: number) => (index < size ? 0 : Math.floor((index - size) / turnover) + 1);
  const has = (index: number, day: number) =>
    index >= 0 && index < size + turnover * day && departure(index) > day;
  const indexes = (day: number) => {
    const found = new Uint32Array(size);
    let count = 0;
    for (let index = 0; index < size; index++) if (has(index, day)) found[count++] = index;
    for (let index = Math.max(size, turnover * day); count < size; index++) found[count++] = index;
    return found;
  };
  return { size, has, arrival, indexes: (day) => once(() => indexes(day)) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A step that visits every place of the queue once; its products stay below 2^53 for 30 million players. */
function coprimeStep(size: number, seed: number): number {
  let step = 7919 + (Math.abs(seed) % 1000) * 2;
  while (gcd(step, size) !== 1) step++;
  return step;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
