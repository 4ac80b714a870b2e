import type { PagingStyle } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Said } from '../beside/beside.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import type { ApiCode } from '../codes.ts';
import { ListingError } from '../listing-error.ts';
import { unexplainedCures, unexplainedText } from './unexplained.ts';

/** The error of a listing's pages. Where nothing but a guess was followed, it names what nobody has explained. */
export function pagingError(
  {
    code,
    what,
    cures,
  }: { readonly code: ApiCode; readonly what: string; readonly cures: readonly Cure[] | undefined },
  {
    resource: { name: resource },
    unexplained,
  }: { readonly resource: Resource; readonly unexplained: readonly Said[] },
): ListingError {
  const isGuess = code === 'PAGING_UNPROVEN' && cures === undefined && unexplained.length > 0;
  const says = isGuess ? `${what}. ${unexplainedText(unexplained)}` : what;
  // The page shows that there is paging: `ignore`, the first of the cures, is none.
  const own = isGuess ? unexplainedCures(unexplained, { resource }).slice(1) : cures;
  return new ListingError(code, says, { resource, ...(own && { cures: own }) });
}

/** The error where the setting names a page as the first, and this page says that it is not; null where it does not. */
export function startsLate(
  { notFirst }: PageFacts,
  { style, resource }: { readonly style: PagingStyle | null; readonly resource: Resource },
): ListingError | null {
  if (notFirst === null || style?.name !== 'page' || style.start === null) return null;
  const earlier = `page:${style.param}=${Math.max(0, style.start - 1)}`;
  const what = `The setting paging begins with ${style.param}=${style.start}, and ${notFirst} says that it is not the first page`;
  const cures = [{ setting: `resources.${resource.name}.paging`, choices: [earlier] }];
  return pagingError({ code: 'PAGING_UNPROVEN', what, cures }, { resource, unexplained: [] });
}
