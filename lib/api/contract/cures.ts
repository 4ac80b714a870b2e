import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import { type ApiCode, curesOf } from '../codes.ts';
import { type Fact, isIgnored, nameOf, placeOf } from '../read/facts.ts';
import { roleOfFact } from '../read/role.ts';
import type { Signals } from '../read/said.ts';

/** The most facts that a message names; of the rest it says the number. */
const NAMED_AT_MOST = 6;
const VALUE_LENGTH = 40;

/** The sentence about facts that may say that there are further pages. */
export function openText(open: readonly Fact[]): string {
  const is = open.length > 1 ? 'are' : 'is';
  return `Next to the records ${is} ${named(open)}, which may say that there are more`;
}

function named(facts: readonly Fact[]): string {
  const all = facts.slice(0, NAMED_AT_MOST).map((fact) => `"${nameOf(fact)}" (${shown(fact.value)})`);
  return [...all, ...(facts.length > NAMED_AT_MOST ? [`${facts.length - NAMED_AT_MOST} more`] : [])].join(
    ', ',
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** The settings that explain the facts: they mean nothing, one of them leads on, or one answer is all. */
export function openCures(open: readonly Fact[], resource: string): readonly Cure[] {
  const paging = `resources.${resource}.paging`;
  const names = [...new Set(open.map(nameOf))];
  const styles = [...new Set(open.flatMap(stylesOfFact))].slice(0, NAMED_AT_MOST);
  return [
    {
      setting: `resources.${resource}.ignore`,
      choices: [names],
      when: `${names.length > 1 ? 'they say' : 'it says'} nothing about pages`,
    },
    {
      setting: paging,
      choices: styles,
      open: 'the style of the listing with its own parameter (next@PLACE, cursor:PARAM@PLACE, page:PARAM or offset:PARAM)',
      when: 'there are pages',
    },
    { setting: paging, choices: ['none'], when: 'one answer is all' },
  ];
}

/** The styles by which a fact would lead to a next page. */
function stylesOfFact(fact: Fact): readonly string[] {
  const name = fact.path.at(-1) ?? '';
  if (fact.kind === 'address') return [`next@${placeOf(fact)}`];
  if (fact.kind === 'token') return [`cursor:${name}@${placeOf(fact)}`];
  return ['page:page', 'offset:offset'];
}

/** The settings of a listing that says that there is more, and not how to get it. */
export function stuckCures(
  code: ApiCode,
  { name }: Resource,
  { next, more, open, totals, token }: Signals,
): readonly Cure[] {
  const paging = `resources.${name}.paging`;
  if (code === 'PAGING_OTHER_ORIGIN' && next !== null) {
    const link = next.by === 'link' ? 'link:next' : `next@${next.name}`;
    const cursor = token === null ? [] : [`cursor:${token.name}@${token.place}`];
    return [
      ...cursor.map((choice) => ({ setting: paging, choices: [choice], when: 'its parameter is right' })),
      {
        setting: paging,
        choices: [link],
        when: 'the link has the inner address of a proxy: only its query is used',
      },
      ...curesOf(code, name),
    ];
  }
  if (open.length > 0) return openCures(open, name).slice(1);
  const said = more?.value === true ? more.name : totals[0]?.name;
  const other = {
    setting: `resources.${name}.ignore`,
    choices: [[said ?? '']],
    when: 'it is about something else',
  };
  return [...curesOf(code, name), ...(said === undefined ? [] : [other])];
}

/** What one listing of a source takes may be what another takes. */
export function withStyles(cures: readonly Cure[], others: readonly string[]): readonly Cure[] {
  return cures.map((cure) =>
    cure.setting.endsWith('.paging') && cure.open !== undefined
      ? { ...cure, choices: [...new Set([...others, ...cure.choices])] }
      : cure,
  );
}

/** The cures where the records are not as many as a member declares: that there are pages, or that it counts something else. */
export function totalCures(total: string | null, { name }: Resource): readonly Cure[] {
  const other = {
    setting: `resources.${name}.ignore`,
    choices: [[total ?? '']],
    when: 'it counts something else',
  };
  return [...curesOf('TOTAL_MISMATCH', name), ...(total === null ? [] : [other])];
}

/** The cures: `complete`, if one answer is all; else the style of paging. */
export function completeOrPaged(
  { name }: Resource,
  when: string,
  further: string | null = null,
): readonly Cure[] {
  return [
    { setting: `resources.${name}.complete`, choices: [true], when },
    {
      setting: `resources.${name}.paging`,
      choices: further === null ? [] : [further],
      open: 'the style of the listing (page:PARAM, offset:PARAM, cursor:PARAM@PLACE, next@PLACE or link)',
      when: 'there are more',
    },
  ];
}

/** One answer is all. */
export function wholeCure({ name }: Resource, when: string): Cure {
  return { setting: `resources.${name}.complete`, choices: [true], when };
}

/** Members that say nothing of missing records. */
export function ignoreCure({ name }: Resource, members: readonly string[]): Cure {
  const when = `${members.length > 1 ? 'they say' : 'it says'} nothing of missing records`;
  return { setting: `resources.${name}.ignore`, choices: [[...members]], when };
}

/** The facts whose meaning no word tells. */
export function unknownFacts(facts: readonly Fact[], ignore: readonly string[]): readonly Fact[] {
  return facts.filter(
    (fact) =>
      !fact.isHeader &&
      fact.kind !== 'nothing' &&
      fact.kind !== 'plain' &&
      !isIgnored(fact, ignore) &&
      roleOfFact(fact) === undefined,
  );
}

/** What a note says of facts whose meaning no word tells: their names, for values change. */
export function unknownText(unknown: readonly Fact[]): string {
  const names = unknown.slice(0, NAMED_AT_MOST).map((fact) => `"${nameOf(fact)}"`);
  const more = unknown.length > NAMED_AT_MOST ? [`${unknown.length - NAMED_AT_MOST} more`] : [];
  const isOne = unknown.length === 1;
  return `Next to the records ${isOne ? 'is' : 'are'} ${[...names, ...more].join(', ')}, and nothing tells what ${isOne ? 'it means' : 'they mean'}`;
}
