import { nearest } from '../text.ts';
import { wantedTargets } from './config-tables.ts';
import type { Tables } from './open-tables.ts';
import type { Sentence } from './sentence.ts';

/** How many groups a sentence names. */
const NAMED = 5;

interface Group {
  readonly number: number;
  readonly by: string;
  readonly value: string;
}

/** What is not known, and of `availability` also the targets that hold for nobody. */
export async function withIdleTargets(
  tables: Tables,
  notKnown: ReadonlyMap<string, readonly Sentence[]>,
): Promise<ReadonlyMap<string, readonly Sentence[]>> {
  const idle = await idleTargets(tables);
  if (idle.length === 0) return notKnown;
  return new Map([...notKnown, ['availability', [...(notKnown.get('availability') ?? []), ...idle]]]);
}

/** A sentence for each target that is of no group; none before a player has a group. */
export async function idleTargets(
  { query, schema, views }: Tables,
  targets = schema.targets,
): Promise<readonly Sentence[]> {
  const wanted = wantedTargets({ ...schema, targets: targets ?? {} }).filter(({ value }) => value !== '*');
  if (wanted.length === 0 || !views.some(({ name }) => name === 'player_groups_daily')) return [];
  const { rows } = await query(`
    -- grain: a value of a group, the largest first
    select group_number, group_by, group_value
    from player_groups_daily
    where group_value is not null
    group by group_number, group_by, group_value
    order by count(*) desc, group_number, group_value`);
  const groups = rows.map(([number, by, value]) => ({
    number: Number(number),
    by: String(by),
    value: String(value),
  }));
  if (groups.length === 0) return [];
  return wanted.flatMap(({ text, number, value }) => {
    const own = groups.filter((group) => number === undefined || group.number === number);
    return own.some((group) => group.value === value) ? [] : [sentenceOf(text, value, own)];
  });
}

/** The groups that may be meant come first. */
function sentenceOf(target: string, value: string, groups: readonly Group[]): Sentence {
  const textOf = (group: Group) => `${group.by}=${group.value}`;
  const values = groups.map((group) => group.value);
  const meant = nearest(value, values) ?? nearest(value.slice(value.indexOf('=') + 1), values);
  const told = [
    ...groups.filter((group) => group.value === meant),
    ...groups.filter((group) => group.value !== meant),
  ].map(textOf);
  const named = told.slice(0, NAMED).join(', ');
  if (told.length <= NAMED)
    return {
      text: 'The target {target} holds for nobody: no player is in such a group. There are: {groups}.',
      values: { target, groups: named || '–' },
    };
  return {
    text: 'The target {target} holds for nobody: no player is in such a group. There are: {groups} and {more} more.',
    values: { target, groups: named, more: told.length - NAMED },
  };
}
