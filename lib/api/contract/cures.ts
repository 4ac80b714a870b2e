import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import { type ApiCode, curesOf, PAGING_STYLE } from '../codes.ts';
import { type Fact, nameOf, placeOf } from '../read/facts.ts';
import type { Signals } from '../read/said.ts';

/** The message about a listing: the observation, without full stop, and the settings that answer it. */
export interface Finding {
  readonly code: ApiCode;
  readonly says: string;
  readonly cures: readonly Cure[];
}

/** The most facts that a message names; it counts the rest. */
const NAMED_AT_MOST = 6;
const VALUE_LENGTH = 40;

/** `Next to the records are "a" and 2 more`. Shows only values that may lead on, because others change. */
export function besideText(facts: readonly Fact[], { withValues }: { readonly withValues: boolean }): string {
  const names = facts.slice(0, NAMED_AT_MOST).map((fact) => {
    const value = JSON.stringify(fact.value) ?? '';
    const text = value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH)}…` : value;
    return `"${nameOf(fact)}"${withValues ? ` (${text})` : ''}`;
  });
  const more = facts.length > NAMED_AT_MOST ? [`${facts.length - NAMED_AT_MOST} more`] : [];
  return `Next to the records ${facts.length > 1 ? 'are' : 'is'} ${[...names, ...more].join(', ')}`;
}

/** The settings that explain the facts: they mean nothing, one leads on, or one answer has all records. */
export function openCures(open: readonly Fact[], name: string): readonly Cure[] {
  const setting = `resources.${name}.paging`;
  const styles = [...new Set(open.flatMap(stylesOfFact))].slice(0, NAMED_AT_MOST);
  return [
    ignoreCure(name, [...new Set(open.map(nameOf))], 'about pages'),
    { setting, choices: styles, open: PAGING_STYLE, when: 'there are pages' },
    { setting, choices: ['none'], when: 'one answer has all records' },
  ];
}

/** The styles by which a fact would lead to a next page. */
function stylesOfFact(fact: Fact): readonly string[] {
  if (fact.kind === 'address') return [`next@${placeOf(fact)}`];
  if (fact.kind === 'token') return [`cursor:${fact.path.at(-1) ?? ''}@${placeOf(fact)}`];
  return ['page:page', 'offset:offset'];
}

/** The settings for a listing with more to come. */
export function stuckCures(code: ApiCode, { name }: Resource, signals: Signals): readonly Cure[] {
  const { next, more, open, totals, token } = signals;
  const setting = `resources.${name}.paging`;
  if (code === 'PAGING_OTHER_ORIGIN' && next !== null) {
    const cursor = token === null ? [] : [`cursor:${token.name}@${token.place}`];
    const style = next.by === 'link' ? 'link:next' : `next@${next.name}`;
    const when = 'the link has the inner address of a proxy: only its query is used';
    return [
      ...cursor.map((choice) => ({ setting, choices: [choice], when: 'its parameter is right' })),
      { setting, choices: [style], when },
      ...curesOf(code, name),
    ];
  }
  if (open.length > 0) return openCures(open, name).slice(1);
  const [largest] = totals.toSorted((a, b) => b.value - a.value);
  const said = more?.value === true ? more.name : largest?.name;
  return totalCures(code, name, said);
}

/** The cures where fewer records came than this member says: there are pages, or it is about something else. */
export function totalCures(code: ApiCode, name: string, member: string | undefined): readonly Cure[] {
  if (member === undefined) return curesOf(code, name);
  const setting = `resources.${name}.ignore`;
  return [...curesOf(code, name), { setting, choices: [[member]], when: 'it is about something else' }];
}

/** The cures: `complete`, if one answer has all records; else the style of paging. */
export function completeOrPaged(
  resource: Resource,
  when: string,
  further: string | null = null,
): readonly Cure[] {
  return [
    wholeCure(resource, when),
    {
      setting: `resources.${resource.name}.paging`,
      choices: further === null ? [] : [further],
      open: PAGING_STYLE,
      when: 'there are more records',
    },
  ];
}

/** One answer is all. */
export function wholeCure({ name }: Resource, when: string): Cure {
  return { setting: `resources.${name}.complete`, choices: [true], when };
}

/** Members that do not matter, for example for missing records. */
export function ignoreCure(resource: string, members: readonly string[], about: string): Cure {
  const when = `${members.length > 1 ? 'they say' : 'it says'} nothing ${about}`;
  return { setting: `resources.${resource}.ignore`, choices: [[...members]], when };
}
