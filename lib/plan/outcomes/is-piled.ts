/** Fewer parents show no distribution. */
const PARENTS_AT_LEAST = 40;
/** The share of parents with fewer children than the most. A fleet of equal players does not have it. */
const SHARE_BELOW = 0.25;
/** How many times more parents have the greatest number than the numbers below it predict. */
const TIMES = 2;
/** At least so many more, because a few may be a coincidence. */
const MORE = 6;

/**
 * True if parents pile up at the greatest number of children, as where a server returns no more. Far more parents have
 * it than the numbers right below it predict. `counts` has the parents by their number of children.
 *
 * 12 parents with none, 11 with one and 34 with two are piled. 5 with none, 25 with one and 70 with two are not: the
 * numbers
 * grow that way. 90 with one and 10 with two are not piled either, nor 100 with two.
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
  // So much more or less is a coincidence, and predicts nothing about the next number.
  const isChance = growth ** 2 * half < upper + lower;
  const expected = Math.max(lower, upper + (isChance ? 0 : Math.max(0, growth)));
  return at > TIMES * expected && at >= TIMES * expected + MORE;
}
