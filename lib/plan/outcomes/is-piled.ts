/** Fewer parents show no distribution. */
const PARENTS_AT_LEAST = 40;
/** So many of them have fewer children than the most: a fleet of equal players has not. */
const SHARE_BELOW = 0.25;
/** So many times as many parents stand at the greatest number as the numbers below it lead to expect. */
const TIMES = 2;
/** And so many more, for a few are chance. */
const MORE = 6;

/**
 * Whether parents pile up at the greatest number of children, as where a server gives no more: far more have it than the numbers
 * right below it lead to expect. `counts` has the parents by their number of children.
 *
 * 12 parents with none, 11 with one and 34 with two are piled. 5 with none, 25 with one and 70 with two are not: the numbers
 * grow that way. Nor are 90 with one and 10 with two, nor 100 with two.
 */
export function isPiled(counts: ReadonlyMap<number, number>): boolean {
  const most = Math.max(0, ...counts.keys());
  const parents = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const at = counts.get(most) ?? 0;
  if (most < 2 || parents < PARENTS_AT_LEAST || parents - at < SHARE_BELOW * parents) return false;
  const half = Math.max(1, Math.floor(most / 6));
  const mean = (from: number): number =>
    Array.from({ length: half }, (_, index) => counts.get(from + index) ?? 0).reduce((a, b) => a + b, 0) /
    half;
  const [upper, lower] = [mean(most - half), mean(most - 2 * half)];
  if (upper === 0 || lower === 0) return false;
  const growth = upper - lower;
  // So much more or less is chance, and promises nothing of the next number.
  const isChance = growth ** 2 * half < upper + lower;
  const expected = Math.max(lower, upper + (isChance ? 0 : Math.max(0, growth)));
  return at > TIMES * expected && at >= TIMES * expected + MORE;
}
