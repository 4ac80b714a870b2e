import type { PagingStyle } from '../../config/paging-style.ts';
import { type Fact, placeOf } from './facts.ts';
import type { Signals } from './said.ts';

/** The target of the first link with this relation in a Link header (RFC 8288); null without one. */
export function linkOf(header: string | string[] | undefined, relation: string): string | null {
  if (header === undefined) return null;
  const wanted = relation.toLowerCase();
  return linksIn(String(header)).find(({ relations }) => relations?.includes(wanted))?.target ?? null;
}

/** A target, a text in quotes, a sign between parameters, or a word. An unclosed quote reaches to the end. */
const PART = /<([^<>]*)>|"((?:[^"\\]|\\.)*)"?|[,;=]|[^<",;=]+|./gs;

function linksIn(text: string) {
  const links: { readonly target: string; relations?: readonly string[] }[] = [];
  let name = '';
  let isValue = false;
  for (const [part, target, quoted] of text.matchAll(PART)) {
    const link = links.at(-1);
    if (target !== undefined) links.push({ target: target.trim() });
    else if (part === '=') isValue = true;
    else if (part === ';' || part === ',') [name, isValue] = ['', false];
    else if (!isValue) name = part.trim().toLowerCase();
    // The first one counts (RFC 8288, 3.3).
    else if (name === 'rel' && link !== undefined)
      link.relations ??= (quoted ?? part).trim().toLowerCase().split(/\s+/);
  }
  return links;
}

type Lead = Pick<Signals, 'next' | 'token' | 'isEnded'>;

/** The value at the place of the setting `paging`: a member, `header:NAME`, or a relation in links. */
export function leadAt(
  { name, place }: Pick<PagingStyle, 'name'> & { readonly place: string },
  facts: readonly Fact[],
): Lead {
  const found = factAtPlace(facts, place.toLowerCase());
  const none: Lead = { next: null, token: null, isEnded: false };
  if (found === undefined) return none;
  // After the last page some servers count from 0 again.
  const isNone = found.kind === 'nothing' || found.value === false || Number(found.value) <= 0;
  if (isNone) return { ...none, isEnded: true };
  const said = { name: place, value: String(found.value) };
  return name === 'next'
    ? { ...none, next: { ...said, by: 'next' } }
    : { ...none, token: { ...said, place } };
}

function factAtPlace(facts: readonly Fact[], wanted: string): Fact | undefined {
  const at = (fact: Fact): string => placeOf(fact).toLowerCase();
  const isInner = (fact: Fact): boolean => at(fact).startsWith(`${wanted}.`) && fact.kind === 'address';
  return facts.find((fact) => at(fact) === wanted) ?? facts.find(isInner);
}
