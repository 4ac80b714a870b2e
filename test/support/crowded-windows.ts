export interface Promised {
  /** Calls a second. */
  readonly rate: number;
  /** When a run, or its list, began again after a kill: each lets one call more into the windows it is in. */
  readonly restarts?: readonly number[];
}

/** Windows of 10 s, both ends included, in which a server got more calls than the rate allows; times in ms. */
export function crowdedWindows(calls: readonly number[], { rate, restarts = [] }: Promised) {
  const sorted = calls.toSorted((one, other) => one - other);
  return sorted.flatMap((from, index) => {
    const isIn = (at: number) => at >= from && at <= from + 10_000;
    const after = sorted.findIndex((at, other) => other > index && !isIn(at));
    const count = (after === -1 ? sorted.length : after) - index;
    const most = Math.floor(10 * rate) + 1 + restarts.filter(isIn).length;
    return count <= most ? [] : [`${count} of ${most} calls from ${Math.round(from)} ms on`];
  });
}
