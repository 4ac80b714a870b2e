/**
 * This many refused retries mean that refusals are about single items, not about the pace. Meanwhile as many
 * new calls were answered, and no retry was. At too fast a pace both have the same luck, so this is one
 * chance in 4,000.
 */
const UNLIKE_PACE = 12;
/** This many refused new calls in a row are about the pace after all. */
const LIKE_PACE = 24;

/** Compares the luck of retries with that of new calls. A retry after any other failure does not count. */
export function createItemLuck() {
  /** The refused retries since the last answered one. */
  let refusedAgain = 0;
  let answeredNew = 0;
  let newRefusedInARow = 0;
  return {
    note: (
      urgency: string,
      { kind }: { readonly kind: 'answered' | 'failed' | 'throttled' | 'overloaded' },
    ): void => {
      const isRefused = kind === 'throttled' || kind === 'overloaded';
      const isAnswered = kind === 'answered';
      if (urgency === 'new') newRefusedInARow = isRefused ? newRefusedInARow + 1 : 0;
      if (urgency === 'refused' && isRefused) refusedAgain += 1;
      if (urgency === 'new' && isAnswered) answeredNew += 1;
      if (urgency === 'refused' && isAnswered) [refusedAgain, answeredNew] = [0, 0];
    },
    /** True where the refusals are about items. */
    isOfItems: (): boolean =>
      Math.min(refusedAgain, answeredNew) >= UNLIKE_PACE && newRefusedInARow < LIKE_PACE,
  };
}
