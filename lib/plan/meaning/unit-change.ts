import { type Change, type Compared, counts, MANY, NEARLY_ALL } from './compared.ts';

/** Ratios of two units that somebody also chooses who sets a number again. */
const CHOSEN = [10, 100];
/** The usual ratios of two units: tens, time, thousands and bytes. */
const FACTORS = [
  ...CHOSEN,
  60,
  3600,
  86_400,
  ...[1, 2, 3, 4].flatMap((power) => [1000 ** power, 1024 ** power]),
];
/** The values may grow a little in a day. */
const NEAR = 0.05;
/** From this factor on, values may vary by a third a day, if the middle one has the factor. */
const LARGE = 24;
const VARIED = 1.6;
const NEARLY = 1.25;
/** Values that did not grow have their factor as exactly. */
const EXACT = 0.001;

/** All numbers have changed by the factor of another unit, or fractions have become percent, or the reverse. */
export function unitChange({ pairs, date }: Compared): Change | undefined {
  const numbers = pairs.flatMap(({ was, is }) =>
    typeof was === 'number' && typeof is === 'number' && was !== 0 && is !== 0
      ? [{ was, is, by: is / was }]
      : [],
  );
  if (numbers.length < MANY) return undefined;
  const middle = numbers.toSorted((a, b) => a.by - b.by)[Math.floor(numbers.length / 2)]?.by ?? 1;
  const far = (factor: number) => Math.abs(Math.log(middle / factor));
  const factor = FACTORS.flatMap((each) => [each, 1 / each]).reduce((a, b) => (far(b) < far(a) ? b : a));
  const isVaried =
    far(factor) <= Math.log(NEARLY) && Math.max(factor, 1 / factor) >= LARGE && follows(numbers);
  const same = numbers.filter(({ by }) =>
    isVaried ? Math.abs(Math.log(by / factor)) <= Math.log(VARIED) : Math.abs(by / factor - 1) <= NEAR,
  );
  if (same.length >= NEARLY_ALL * numbers.length) {
    const isShared = new Set(numbers.map(({ was }) => was)).size === 1;
    if (isShared && CHOSEN.some((each) => factor === each || factor === 1 / each)) return undefined;
    // Values that also grew leave it open whether a kilobyte has 1000 bytes.
    const ratio = Math.round(Math.max(factor, 1 / factor));
    const near = FACTORS.filter((each) => Math.abs(ratio / each - 1) <= NEAR);
    const times =
      Math.abs(middle / factor - 1) < EXACT ? ratio : near.length > 0 ? near.join(' or ') : `about ${ratio}`;
    const size = factor > 1 ? `${times} times as large as` : `${times} times smaller than`;
    return { kind: 'unit', by: factor, says: `${counts(same, numbers)} are ${size} before ${date}` };
  }
  const areShares = (which: 'was' | 'is') =>
    numbers.every((each) => each[which] > 0 && each[which] <= 1) &&
    numbers.filter((each) => !Number.isInteger(each[which])).length >= numbers.length / 2;
  const arePercent = (which: 'was' | 'is') =>
    numbers.every((each) => each[which] > 0 && each[which] <= 100) &&
    numbers.filter((each) => each[which] > 1).length >= NEARLY_ALL * numbers.length;
  // A load that rises above 1 is no percentage.
  const isHundredfold = (ratio: number) => ratio > 30 && ratio < 300;
  if (areShares('was') && arePercent('is') && isHundredfold(middle))
    return {
      kind: 'unit',
      by: 100,
      says: `the values are from 0 to 100; before ${date} they were from 0 to 1`,
    };
  if (arePercent('was') && areShares('is') && isHundredfold(1 / middle))
    return {
      kind: 'unit',
      by: 0.01,
      says: `the values are from 0 to 1; before ${date} they were from 0 to 100`,
    };
  return undefined;
}

/**
 * True if the new numbers follow the old ones: their ratios differ much less than the numbers themselves. Counters
 * that began again together do not.
 */
function follows(numbers: readonly { readonly was: number; readonly by: number }[]): boolean {
  return 2 * spread(numbers.map(({ by }) => by)) < spread(numbers.map(({ was }) => was));
}

/** How far the logarithms of most numbers are apart, without a tenth at either end. */
function spread(numbers: readonly number[]): number {
  const sizes = numbers.map((each) => Math.log(Math.abs(each))).toSorted((a, b) => a - b);
  const at = (share: number) => sizes[Math.round(share * (sizes.length - 1))] ?? 0;
  return at(0.9) - at(0.1);
}
