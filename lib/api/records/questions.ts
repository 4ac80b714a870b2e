import type { Cure } from '../../sources/question.ts';
import type { Container, Member, Scan } from '../body/scan.ts';
import { ListingError } from '../codes.ts';
import { renderEnvelope } from './items-path.ts';
import type { EnvelopeOptions } from './shape.ts';

type About = Pick<EnvelopeOptions, 'body' | 'resource'>;

/** A possible place, as the setting `items` says it, and when it is right. */
export interface MayBe {
  readonly items: string;
  readonly when: string;
  /** A wrong choice would lose nothing. */
  readonly isLikely?: true;
}

/** A likely place. */
export const likely = (items: string, when = 'the records are there'): MayBe => ({
  items,
  when,
  isLikely: true,
});

/** The setting for the place of the records. */
export function itemsSetting({ resource }: Pick<About, 'resource'>): string {
  return `resources.${resource.name}.items`;
}

/** The setting by which the records of all lists in an object are read. */
export function allListsIn(path: readonly string[]): string {
  return renderEnvelope({ path, form: 'map', each: { path: [], form: 'array' } });
}

/**
 * The error where the records cannot be found. `may` names the possible places, the likeliest first, and
 * `others` the other settings that may help.
 */
export function unknownEnvelope(
  about: About,
  what: string,
  { may = [], others = [] }: { readonly may?: readonly MayBe[]; readonly others?: readonly Cure[] } = {},
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

/** The error where several places may hold the records. Neighbouring lists can be read together. */
export function ambiguousEnvelope(about: About, found: readonly Container[]): ListingError {
  const places = found.map(({ path, kind, children }) => `${path.join('.')} (${kind} of ${children})`);
  const choices = found.map(({ path, kind }) =>
    renderEnvelope({ path, form: kind === 'array' ? 'array' : 'map' }),
  );
  const setting = itemsSetting(about);
  const cures: Cure[] = [{ setting, choices: [...new Set(choices)] }];
  const [all = '', ...others] = found.map(({ path }) => allListsIn(path.slice(0, -1)));
  if (others.every((other) => other === all) && found.every(({ kind }) => kind === 'array'))
    cures.push({ setting, choices: [all], when: 'you want the records of all of them' });
  const says = `The records may be at ${places.join(' or ')}`;
  return new ListingError('ENVELOPE_AMBIGUOUS', says, { resource: about.resource.name, cures });
}

const NAMES_SHOWN = 12;
const NAME_LENGTH = 40;

/** Describes a body by kinds, keys and counts, never by values. */
function seenIn({ container, root }: Scan): string {
  if (container === null) return root;
  const { kind, children, objects, members } = container;
  if (kind === 'array') return `an array of ${children}, ${objects} of them objects`;
  const shown = members.slice(0, NAMES_SHOWN).map(memberText);
  const more = children > shown.length ? [`${children - shown.length} more`] : [];
  return `an object with ${[...shown, ...more].join(', ') || 'no members'}`;
}

function memberText({ name, kind, container }: Member): string {
  const key = JSON.stringify(name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name);
  return container === null ? `${key}: ${kind}` : `${key}: ${kind} of ${container.children}`;
}
