import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import type { Container } from '../body/scan.ts';
import { renderEnvelope } from '../dialect.ts';
import { ListingError } from '../listing-error.ts';
import { seenIn } from './seen.ts';

interface About {
  readonly body: Body;
  readonly resource: Resource;
}

/** A place that may be the right one, as the setting `items` says it, and when it is. */
export interface MayBe {
  readonly items: string;
  readonly when: string;
  /** What it would lose is nothing. */
  readonly isLikely?: true;
}

/** Where the config says where the records are. */
export function itemsSetting({ resource }: Pick<About, 'resource'>): string {
  return `resources.${resource.name}.items`;
}

/**
 * The records of an answer cannot be found; `may` names the places that are to be had, the likeliest first, and `others`
 * the other settings that may help.
 */
export function unknownEnvelope(
  about: About,
  what: string,
  may: readonly MayBe[] = [],
  others: readonly Cure[] = [],
): ListingError {
  const setting = itemsSetting(about);
  const cures: readonly Cure[] = [
    ...may.map(({ items, ...cure }) => ({ setting, choices: [items], ...cure })),
    ...others,
    { setting, choices: [], open: 'where they are' },
  ];
  return new ListingError('ENVELOPE_UNKNOWN', `${what} (seen: ${seenIn(about.body.scan)})`, {
    resource: about.resource.name,
    ...(cures.length > 1 && { cures }),
  });
}

/** Several places may hold the records; `all` is the setting by which those of all are read. */
export function ambiguousEnvelope(
  about: About,
  found: readonly Container[],
  all: string | undefined,
): ListingError {
  const places = found.map(
    (container) => `${container.path.join('.')} (${container.kind} of ${container.children})`,
  );
  const choices = found.map(({ path, kind }) =>
    renderEnvelope({ path, form: kind === 'array' ? 'array' : 'map' }),
  );
  const setting = itemsSetting(about);
  const cures: Cure[] = [{ setting, choices: [...new Set(choices)] }];
  if (all !== undefined)
    cures.push({ setting, choices: [all], when: 'the records of all of them are to be had' });
  return new ListingError('ENVELOPE_AMBIGUOUS', `The records may be at ${places.join(' or ')}`, {
    resource: about.resource.name,
    cures,
  });
}
