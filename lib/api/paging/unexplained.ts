import type { Cure } from '../../sources/question.ts';
import { nameOf, type Said } from './beside.ts';
import { kindOfValue } from './said-value.ts';
import { paramOfToken } from './style-of-facts.ts';

/** The most members that a message names; of the rest it says the number. */
const NAMED_AT_MOST = 6;
const VALUE_LENGTH = 40;

/** The sentence about members beside the records that may be about pages. */
export function unexplainedText(unexplained: readonly Said[]): string {
  const named = unexplained.slice(0, NAMED_AT_MOST).map((said) => `"${nameOf(said)}" (${shown(said.value)})`);
  const rest = unexplained.length - named.length;
  const list = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return `Beside the records stands ${list}, which may say that there are further pages`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** The settings that explain the members: one of them as paging, or all as idle. */
export function unexplainedCures(unexplained: readonly Said[], resource: string): readonly Cure[] {
  const paging = `resources.${resource}.paging`;
  const placed = unexplained.flatMap((said) => {
    const place = said.isHeader ? `header:${nameOf(said)}` : nameOf(said);
    const kind = kindOfValue(said.value);
    if (kind === 'address') return [`next@${place}`];
    return kind === 'token' ? [`cursor:${paramOfToken(nameOf(said))}@${place}`] : [];
  });
  const styles = placed.length > 0 ? placed.slice(0, NAMED_AT_MOST) : ['page:page', 'offset:offset'];
  const names = [...new Set(unexplained.map(nameOf))];
  return [
    { setting: `resources.${resource}.ignore`, choices: [names], when: 'they say nothing about pages' },
    {
      setting: paging,
      choices: styles,
      open: 'the style of the listing with its own parameter (next@PLACE, cursor:PARAM@PLACE, page:PARAM or offset:PARAM)',
      when: 'there are pages',
    },
    { setting: paging, choices: ['none'], when: 'one answer is all' },
  ];
}
