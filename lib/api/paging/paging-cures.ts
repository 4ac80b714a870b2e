import type { PagingStyle } from '../../config/paging-style.ts';
import { NO_ID } from '../../schema/record-key.ts';
import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import { curesOf } from '../codes.ts';
import { ListingError } from '../listing-error.ts';
import { paramsOf } from './usual-params.ts';

/** Parameters that a message names: the member's own name stands first. */
const OFFERED = 5;

/**
 * The cures where a cursor was asked for by a parameter that its name only suggests: the others that it may stand for. Undefined
 * where something else beside the records may lead on.
 */
export function otherParams({
  resource: { name },
  style,
  facts,
}: {
  readonly resource: Resource;
  readonly style: PagingStyle;
  readonly facts: PageFacts | null;
}): readonly Cure[] | undefined {
  const token = facts?.token ?? null;
  if (style.name !== 'cursor' || token === null || (facts?.unexplained ?? []).length > 0) return undefined;
  const own = token.name.slice(token.name.lastIndexOf('.') + 1);
  const params = [own, ...paramsOf(own)].filter((param) => param !== style.param);
  const choices = [...new Set(params)].map((param) => `cursor:${param}@${token.place}`);
  const [first, ...others] = curesOf('PAGING_UNPROVEN', name);
  return first && [{ ...first, choices: choices.slice(0, OFFERED) }, ...others];
}

/** The styles that the config names for listings of a source, each once: what one listing takes may be that of another. */
export function stylesOf({ resources }: Source): readonly string[] {
  const styles = Object.values(resources).flatMap((settings) => settings?.paging ?? []);
  return [...new Set(styles)].filter((style) => style !== 'none');
}

/** The cures where the records are not as many as a member declares: that there are pages, or that it counts something else. */
export function totalCures(total: string | null, { name }: Resource): readonly Cure[] {
  const other: Cure = {
    setting: `resources.${name}.ignore`,
    choices: [[total ?? '']],
    when: 'it counts something else',
  };
  return [...curesOf('TOTAL_MISMATCH', name), ...(total === null ? [] : [other])];
}

/** The error where pages seem to overlap, and nothing says whether two alike records are one. */
export function overlapError(page: number, resource: Resource): ListingError {
  const says = `Page ${page + 1} begins with the record with which the one before ends, and no field is known that tells them apart`;
  const setting = `resources.${resource.name}.id`;
  const cures: readonly Cure[] = [
    { setting, choices: [], open: 'a field that tells records apart', when: 'it is one record' },
    { setting, choices: [NO_ID], when: 'they are two' },
  ];
  return new ListingError('PAGING_UNPROVEN', says, { resource: resource.name, cures });
}
