/** The id of the player with index 0. */
export const FIRST_PLAYER_ID = 100_001;

/** Which players exist on which day. An index always means the same player; a removed player does not come back. */
export interface Population {
  /** Players on any day. */
  readonly size: number;
  /** The indexes of the players of a day, ascending; computed at the first call. */
  indexes(day: number): () => Uint32Array;
  has(index: number, day: number): boolean;
  /** The first day of the player; 0 for the first inhabitants. */
  arrival(index: number): number;
}

/**
 * On each day, one player in a hundred is removed and as many are added, so the number stays. Players are removed in the
 * order of a queue: first the first inhabitants, shuffled by the seed, then the newcomers as they came. So a sum tells the
 * day on which a player is removed.
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

/** A step that visits every place of the queue once; with 30 million players, its products stay below 2^53. */
function coprimeStep(size: number, seed: number): number {
  if (size === 0) return 1;
  let step = 7919 + (Math.abs(seed) % 1000) * 2;
  while (gcd(step, size) !== 1) step++;
  return step;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
