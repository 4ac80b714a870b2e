import type { PagingStyle } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import { curesOf } from '../codes.ts';
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
  const choices = [...new Set(params)].map((param) => `cursor:${param}`);
  const [first, ...others] = curesOf('PAGING_UNPROVEN', name);
  return first && [{ ...first, choices: choices.slice(0, OFFERED) }, ...others];
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
