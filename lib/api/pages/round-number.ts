/** True for a number at which some server may cut: 30, 24, 128. A listing that grows to it is looked at again. */
export function mayBeCap(count: number): boolean {
  return count % 10 === 0 || count % 12 === 0 || Number.isInteger(Math.log2(count));
}

/** True for a number at which servers often cut a listing: 10, 15, 20, 25, 50, 100, 200, 250, 500, 1000 and so on. */
export function isRoundNumber(count: number): boolean {
  if (count === 15) return true;
  let lead = count;
  while (lead >= 100 && lead % 10 === 0) lead /= 10;
  return [10, 20, 25, 50].includes(lead);
}
