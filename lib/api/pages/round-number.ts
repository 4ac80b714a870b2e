/** True for a number where servers often cut a listing: 10, 15, 20, 25, 50, 100, 200, 250, 500, 1000 … */
export function isRoundNumber(count: number): boolean {
  if (count === 15) return true;
  let lead = count;
  while (lead >= 100 && lead % 10 === 0) lead /= 10;
  return [10, 20, 25, 50].includes(lead);
}
