import type { Reading } from './reading.ts';

const CALL_IS_WRONG: ReadonlySet<number> = new Set([400, 404, 405, 406, 409, 410, 416, 422]);

/**
 * What a refused page means. `missing`: there is no such page, which ends the listing. `refused`: behind full pages alone the server may
 * not return more ("only the first 1,000 results are available"). `PAGING_UNPROVEN`: the way to page 2 is
 * wrong. `LISTING_UNSTABLE`: a later page went away. `fails`: it says nothing about pages.
 */
export function refusalOf(
  { items, pageSize, page, asked, totals }: Reading,
  { status, isPromised }: { readonly status: number | null; readonly isPromised: boolean },
): 'missing' | 'refused' | 'fails' | 'PAGING_UNPROVEN' | 'LISTING_UNSTABLE' {
  const isSurplus = !isPromised && totals.latest() === items;
  // An answer that has no records anywhere is no page.
  const isOther = status === 200 && !isPromised;
  if (status === null || !(isSurplus || isOther || CALL_IS_WRONG.has(status))) return 'fails';
  const isMissing = status === 404 || status === 410;
  if (isPromised && page === 0) return 'PAGING_UNPROVEN';
  if (isPromised) return isMissing ? 'LISTING_UNSTABLE' : 'fails';
  const isShort = items < (page + 1) * pageSize;
  return isMissing || isSurplus || isOther || isShort || asked.isDeclaredComplete ? 'missing' : 'refused';
}
