import type { Cure } from '../../sources/question.ts';
import { nameOf, type Said } from '../beside/beside.ts';
import { numberedParam } from '../beside/further-links.ts';
import { kindOfValue } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';
import { paramOfToken } from './style-of-facts.ts';

/** The most members that a message names; of the rest it says the number. */
const NAMED_AT_MOST = 6;
const VALUE_LENGTH = 40;
/** Values that a page can be asked for with. */
const LEADS_ON: ReadonlySet<string> = new Set(['address', 'token']);
/** Styles whose parameter may be the name of a number in the answer. */
const NUMBERED = ['page', 'offset'] as const;

/** The sentence about members beside the records that may be about pages, and of those that may tell that records are missing. */
export function unexplainedText(unexplained: readonly Said[], told: readonly Said[] = []): string {
  const all = [...unexplained, ...told];
  const named = all.slice(0, NAMED_AT_MOST).map((said) => `"${nameOf(said)}" (${shown(said.value)})`);
  const rest = all.length - named.length;
  const list = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const says = [
    ...(unexplained.length > 0 ? ['there are further pages'] : []),
    ...(told.length > 0 ? ['records are missing'] : []),
  ];
  return `Beside the records stands ${list}, which may say that ${says.join(', or that ')}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** The settings that explain the members: one of them as paging, or all as idle. */
export function unexplainedCures(
  unexplained: readonly Said[],
  { resource, told = [] }: { readonly resource: string; readonly told?: readonly Said[] },
): readonly Cure[] {
  const paging = `resources.${resource}.paging`;
  const placed = unexplained.flatMap(styleAt);
  const isShown = unexplained.some(({ value }) => LEADS_ON.has(kindOfValue(value)));
  const styles = [...placed.slice(0, NAMED_AT_MOST), ...(isShown ? [] : ['page:page', 'offset:offset'])];
  const names = [...new Set([...unexplained, ...told].map(nameOf))];
  const about = told.length > 0 ? 'about missing or further records' : 'about pages';
  return [
    { setting: `resources.${resource}.ignore`, choices: [names], when: `they say nothing ${about}` },
    {
      setting: paging,
      choices: styles,
      open: 'the style of the listing with its own parameter (next@PLACE, cursor:PARAM@PLACE, page:PARAM or offset:PARAM)',
      when: 'there are pages',
    },
    ...(unexplained.length > 0 ? [{ setting: paging, choices: ['none'], when: 'one answer is all' }] : []),
  ];
}

/** The style by which a member with an address or a token would lead to a next page. */
function styleAt(said: Said): readonly string[] {
  const name = nameOf(said);
  const place = said.isHeader ? `header:${name}` : name;
  const kind = kindOfValue(said.value);
  const [holder, relation] = said.path;
  const isLink = said.isHeader && holder === 'link' && relation !== undefined;
  if (kind === 'count' && !said.isHeader) return NUMBERED.map((style) => `${style}:${said.path.at(-1)}`);
  if (kind !== 'address' && !isLink) return kind === 'token' ? [`cursor:${paramOfToken(name)}@${place}`] : [];
  const last = wordsOf(name).includes('last') ? numberedParam(String(said.value)) : undefined;
  if (last !== undefined) return [/offset|skip|start|from/i.test(last) ? `offset:${last}` : `page:${last}`];
  return [isLink ? `link:${relation}` : `next@${place}`];
}
