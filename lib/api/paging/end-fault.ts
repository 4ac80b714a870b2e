import type { PagingStyle } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { ApiCode } from '../codes.ts';
import type { Dialect } from '../dialect.ts';
import type { Said } from './beside.ts';
import type { End } from './page-step.ts';
import { isRoundNumber } from './round-number.ts';
import { kindOfValue } from './said-value.ts';
import { unexplainedCures, unexplainedText } from './unexplained.ts';

/** A listing whose last page seems to have been read. */
export interface ReadPages {
  readonly resource: Resource;
  /** `resources.NAME.paging` */
  readonly setting: string | undefined;
  readonly style: PagingStyle;
  readonly lock: Dialect | undefined;
  readonly end: End;
  readonly items: number;
  readonly pages: number;
  readonly unexplained: readonly Said[];
  /** True: a total is declared, and is known to be the listing's. */
  readonly hasTotal: boolean;
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
}

/** Why the end of a listing is not proven. */
export interface EndFault {
  readonly code: ApiCode;
  readonly says: string;
  readonly cures?: readonly Cure[];
  /** True: the listing is published, and its outcome says that it may not be whole. */
  readonly isDoubt?: boolean;
}

/** Why the end of a listing is not proven; null if it is. */
export function endFault(found: ReadPages): EndFault | null {
  return lostPages(found) ?? nothingFollowed(found) ?? unexplainedFault(found) ?? capFault(found);
}

function lostPages({ lock, style, items }: ReadPages): EndFault | null {
  const isLost = lock !== undefined && lock.paging !== 'none' && style.name === 'none' && items > 0;
  if (!isLost || items !== lock.pageSize) return null;
  const says = `There were pages (${lock.paging}); now there are ${items} records, as many as a page had, and no sign of more`;
  return { code: 'SHAPE_CHANGED', says };
}

/** A setting `paging` whose member the answer does not have: else the first page would pass as the whole listing. */
function nothingFollowed(found: ReadPages): EndFault | null {
  const { setting, style, lock, end, items, resource, hasTotal, isDeclaredComplete } = found;
  if (
    setting === undefined ||
    end !== 'nothing' ||
    isDeclaredComplete ||
    style.name === 'none' ||
    hasTotal ||
    items === 0
  )
    return null;
  const wasFollowed = lock?.pageSize !== undefined && items !== lock.pageSize;
  if (wasFollowed || (resource.parent !== null && !isRoundNumber(items))) return null;
  const where = style.place === null ? '' : ` at ${style.place}`;
  const says = `The setting paging is "${setting}", but the answer has nothing${where} that leads to a next page`;
  const cures = completeOrPaged(
    resource,
    `${items} is the right number today, and listings with further pages have it`,
  );
  return { code: 'PAGING_UNPROVEN', says, cures };
}

function unexplainedFault(found: ReadPages): EndFault | null {
  const { lock, end, unexplained, resource, setting, style } = found;
  if (style.name === 'none' && setting !== undefined) return null;
  if (isProven(end) || unexplained.length === 0) return null;
  const isNew = (said: Said): boolean => lock === undefined || !isKnown(said, lock);
  const asked =
    lock === undefined && setting === undefined
      ? unexplained
      : unexplained.filter((said) => mayPage(said) && isNew(said));
  if (asked.length === 0) return null;
  const says = unexplainedText(asked);
  return { code: 'PAGING_UNPROVEN', says, cures: unexplainedCures(asked, resource.name) };
}

function isProven(end: End): boolean {
  return end !== 'nothing';
}

/** True if an unknown member may belong to paging: it says that there is more, or a page could be asked for with it. */
function mayPage({ value }: Said): boolean {
  const kind = kindOfValue(value);
  return kind === 'address' || kind === 'token' || value === true;
}

/** True if an earlier, whole listing had the member too. */
function isKnown({ path }: Said, { beside }: Dialect): boolean {
  return beside?.includes(path.join('.')) ?? false;
}

/** The fault of a listing with exactly as many records as servers often give at most, and no proof that these are all. */
function capFault(found: ReadPages): EndFault | null {
  const { end, items, pages, resource, lock, setting, isDeclaredComplete } = found;
  if (setting !== undefined || isDeclaredComplete || isProven(end) || pages > 1) return null;
  if (resource.parent !== null || !isRoundNumber(items)) return null;
  return {
    code: 'CAP_SUSPECTED',
    says: `There are exactly ${items} records, a number at which servers often cut, and nothing says if there are more`,
    cures: completeOrPaged(resource, `${items} is the right number today`),
    // A listing that was whole before is published, but nothing is removed for it.
    isDoubt: lock !== undefined,
  };
}

/** The cures: `complete`, if one answer is all; else the style of paging. */
export function completeOrPaged({ name }: Resource, when: string): readonly Cure[] {
  return [
    { setting: `resources.${name}.complete`, choices: [true], when },
    {
      setting: `resources.${name}.paging`,
      choices: [],
      open: 'the style of the listing (page:PARAM, offset:PARAM, cursor:PARAM@PLACE, next@PLACE or link)',
      when: 'there are more',
    },
  ];
}
