import type { Container, Member, Scan } from '../body/scan.ts';

const NAMES_SHOWN = 12;
const NAME_LENGTH = 40;

/** Describes a body for a message, by kinds, keys and counts, never by values. */
export function seenIn(scan: Scan): string {
  return scan.container === null ? scan.root : containerText(scan.container);
}

function containerText(container: Container): string {
  if (container.kind === 'array')
    return `an array of ${container.children}, ${container.objects} of them objects`;
  const shown = container.members.slice(0, NAMES_SHOWN).map(memberText);
  const more = container.children - shown.length;
  return `an object with ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'no members'}`;
}

function memberText({ name, kind, container }: Member): string {
  const key = JSON.stringify(name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name);
  return container === null ? `${key}: ${kind}` : `${key}: ${kind} of ${container.children}`;
}
