/**
 * Refusals are about single items, not about the pace, where so many calls that were tried again were refused, so many new
 * ones were answered meanwhile, and no try again was answered: at a pace that is too fast both have the same luck, and
 * this is one chance in 4,000.
 */
const UNLIKE_PACE = 12;
/** New calls that are all refused, so many in a row, are about the pace all the same. */
const LIKE_PACE = 24;

/** Compares the luck of tries again with that of new calls. Of an item that fails otherwise no try tells anything. */
export interface ItemLuck {
  readonly note: (
    urgency: string,
    end: { readonly kind: 'answered' | 'failed' | 'throttled' | 'overloaded' },
  ) => void;
  /** True where the refusals are about items. */
  readonly isOfItems: () => boolean;
}

/** The luck of a source that nobody has called. */
export function createItemLuck(): ItemLuck {
  /** Since a try again was answered last. */
  let refusedAgain = 0;
  let answeredNew = 0;
  let newRefusedInARow = 0;
  return {
    note: (urgency, { kind }) => {
      const isRefused = kind === 'throttled' || kind === 'overloaded';
      const isAnswered = kind === 'answered';
      if (urgency === 'new') newRefusedInARow = isRefused ? newRefusedInARow + 1 : 0;
      if (urgency === 'refused' && isRefused) refusedAgain += 1;
      if (urgency === 'new' && isAnswered) answeredNew += 1;
      if (urgency === 'refused' && isAnswered) [refusedAgain, answeredNew] = [0, 0];
    },
    isOfItems: () => Math.min(refusedAgain, answeredNew) >= UNLIKE_PACE && newRefusedInARow < LIKE_PACE,
  };
}
