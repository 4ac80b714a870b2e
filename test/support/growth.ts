/** How much faster than its input the CPU time of some work grows: about 1 where it is linear, `to / from` where it is quadratic. */
export function growthOf(
  work: (size: number) => void,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  work(from);
  return (
    cpuOf(() => work(to)) /
    Math.max(
      cpuOf(() => work(from)),
      LEAST_MS,
    ) /
    (to / from)
  );
}

/** Below it the clock says little. */
const LEAST_MS = 10;

function cpuOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user / 1000;
}
