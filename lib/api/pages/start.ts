import { NO_PAGING, type PagingStyle, parsePaging } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';
import type { ListingAsked } from './reading.ts';
import { firstTarget, withParam } from './targets.ts';

/** How a listing is first asked for. */
export interface Start {
  readonly style: PagingStyle;
  /** The style comes from the config, from earlier days or from other parents; else the first answer tells it. */
  readonly isKnown: boolean;
  readonly target: Target;
}

/** The setting wins; then what earlier days have shown of numbered pages, then what other parents' answers have. */
export function startOf({ forced, contract, siblings, plain }: ListingAsked): Start {
  if (forced !== null) return { style: forced, isKnown: true, target: firstTarget(plain, forced) };
  const shown = contract === undefined ? null : parsePaging(contract.paging);
  const before =
    shown !== null && contract?.firstPage !== undefined ? { ...shown, start: contract.firstPage } : null;
  const style = siblings.style() ?? before;
  if (style === null || style.start === null) return { style: NO_PAGING, isKnown: false, target: plain };
  return { style, isKnown: true, target: withParam(plain, style.param, String(style.start)) };
}
