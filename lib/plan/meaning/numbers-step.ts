import { type Compared, NEARLY_ALL, type Step } from './compared.ts';

/** Ratios of two units that somebody also chooses who sets a number again. */
const CHOSEN = [10, 100];
/** The usual ratios of two units: time, thousands and bytes. */
const FACTORS = [60, 3600, 86_400, ...[1, 2, 3, 4].flatMap((power) => [1000 ** power, 1024 ** power])];
/** Numbers may also grow or shrink by a tenth in a day. */
const NEAR = 1.1;

/** Numbers have changed by the factor of another unit, or fractions have become percent, or the reverse. */
export function numbersStep({ pairs }: Compared): Step | undefined {
  const numbers = pairs.flatMap(({ was, is }) =>
    typeof was === 'number' && typeof is === 'number' && was * is !== 0 ? [{ was, is, by: is / was }] : [],
  );
  const middle = numbers.map(({ by }) => by).toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  if (middle === undefined) return undefined;
  const isShared = new Set(numbers.map(({ was }) => was)).size === 1;
  const distance = (one: number, other: number) => Math.abs(Math.log(one / other));
  const [factor = 1] = [...FACTORS, ...(isShared ? [] : CHOSEN)]
    .flatMap((each) => [each, 1 / each])
    .toSorted((a, b) => distance(middle, a) - distance(middle, b));
  const same = numbers.filter(({ by }) => distance(by, factor) <= Math.log(NEAR));
  if (same.length >= NEARLY_ALL * numbers.length) {
    const size = factor > 1 ? `${factor} times as large as` : `${Math.round(1 / factor)} times smaller than`;
    return { kind: 'unit', by: factor, of: numbers.length, changed: same.length, now: `about ${size}` };
  }
  const [was, is] = [rangeOf(numbers.map((each) => each.was)), rangeOf(numbers.map((each) => each.is))];
  const by = was === 1 ? 100 : 0.01;
  // A load that rises above 1 is no percentage.
  if (was === undefined || is === undefined || was === is || distance(middle, by) > Math.log(3))
    return undefined;
  return {
    ...{ kind: 'unit', by, of: numbers.length, changed: numbers.length },
    ...{ now: `from 0 to ${is}`, before: `from 0 to ${was}` },
  };
}

/** 1 for fractions, 100 for percentages; undefined for other numbers. */
function rangeOf(numbers: readonly number[]): 1 | 100 | undefined {
  const most = Math.max(...numbers);
  if (Math.min(...numbers) < 0 || most > 100) return undefined;
  if (most > 1)
    return numbers.filter((each) => each > 1).length >= NEARLY_ALL * numbers.length ? 100 : undefined;
  return 2 * numbers.filter((each) => each < 1).length >= numbers.length ? 1 : undefined;
}
