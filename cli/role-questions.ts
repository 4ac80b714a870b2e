import type { Cure, Question } from '#lib/sources/question.ts';
import type { ColumnSetting } from '#lib/sources/resource-settings.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import type { ViewColumn, ViewFile } from '#lib/views/view-file.ts';
import { type ColumnFacts, NUMBERS } from './column-facts.ts';

/** A name by which views know a column: what it says, where a view cannot do without. */
interface Role extends ViewColumn {
  readonly says?: string;
}

/** A column that may fill a role. */
interface Candidate {
  readonly column: ColumnFacts;
  readonly likeness: number;
}

export interface RoleQuestionsOptions {
  readonly source: string;
  readonly resource: ResourceName;
  /** Those of this source and listing that have values, are in clear and no ids. */
  readonly columns: readonly ColumnFacts[];
  /** Names that the table has in this source, also of columns without a value. */
  readonly names: ReadonlySet<string>;
  readonly views: readonly ViewFile[];
  /** What the config says of its columns, by their names without `as`. */
  readonly settings: Readonly<Record<string, ColumnSetting>>;
}

const CANDIDATES_AT_MOST = 5;
/** Names with fewer letters in common are as like each other as any two words. */
const LIKE = 0.5;

/**
 * Asks for each role of a listing that none of its columns fills which of them does, by their kind, their values and how
 * like the names are. One that stands alone, and is called by the role's own words, is proposed. A role that no view
 * needs is asked about only where a name is like it, or where most roles are open: then the API speaks other words.
 */
export function roleQuestions(options: RoleQuestionsOptions): readonly Question[] {
  const { source, resource, columns, names, views, settings } = options;
  const roles = rolesOf(views, resource);
  const isFilled = ({ column, type }: Role) =>
    names.has(column) && !columns.some((each) => each.name === column && !isReadAs(each, type));
  const open = roles.filter((role) => !isFilled(role));
  const isNeeded = roles.some(({ says }) => says !== undefined);
  const areOtherWords = open.length === roles.length || (isNeeded && 2 * open.length > roles.length);
  const spare = columns.filter(({ name }) => !roles.some(({ column }) => column === name));
  const ranking = (role: Role): readonly Candidate[] => {
    const own = columns.filter(({ name }) => name === role.column);
    return (own.length > 0 ? own : spare)
      .filter((column) => fits(column, role))
      .map((column) => ({ column, likeness: likeness(column.name, role.column) }))
      .toSorted((a, b) => b.likeness - a.likeness || rankOf(b.column, role) - rankOf(a.column, role));
  };
  // Of the numbers that a table needs the first is the whole, and the others are parts of it.
  const [whole, ...parts] = roles.filter(({ says, type }) => says !== undefined && NUMBERS.includes(type));
  const greatest = whole && open.includes(whole) ? ranking(whole)[0] : undefined;
  return open.flatMap((role): readonly Question[] => {
    const isPart = parts.includes(role);
    const inOrder = ranking(role);
    const ranked = isPart ? behindOthers(inOrder, greatest) : inOrder;
    const isAsked = role.says !== undefined || areOtherWords;
    const candidates = ranked.filter((each) => isAsked || each.likeness > 0).slice(0, CANDIDATES_AT_MOST);
    if (candidates.length === 0) return [];
    const isAlone = ranked.length === 1;
    return [
      {
        code: 'ROLE_UNFILLED',
        source,
        resource,
        column: role.column,
        says: `${saysOf(
          role,
          columns.some(({ name }) => name === role.column),
        )}${isPart || role === whole ? byValues(candidates, isPart) : ''}`,
        cures: candidates.map((each) => cureOf(each, { role, resource, isAlone, settings })),
      },
    ];
  });
}

/** What is the whole already is a part of it only if nothing else is. */
function behindOthers(ranked: readonly Candidate[], whole: Candidate | undefined): readonly Candidate[] {
  const isWhole = ({ column, likeness: like }: Candidate) => like === 0 && column === whole?.column;
  return [...ranked.filter((each) => !isWhole(each)), ...ranked.filter(isWhole)];
}

/** Which of several numbers whose names say nothing is the likeliest. */
function byValues([first, second]: readonly Candidate[], isPart: boolean): string {
  if (first === undefined || second === undefined || first.likeness > 0) return '';
  if (first.column.middleNumber === second.column.middleNumber) return '';
  const why = isPart ? 'the greatest that is not the whole' : 'the greatest';
  return `. By its values ${first.column.name} is the likeliest: it is ${why}`;
}

/** What views need comes first. */
function rolesOf(views: readonly ViewFile[], resource: ResourceName): readonly Role[] {
  const all: readonly Role[] = [...views.flatMap(({ needs }) => needs), ...views.flatMap(({ uses }) => uses)];
  const own = all.filter(({ table }) => table === resource);
  return [...Map.groupBy(own, ({ column }) => column).values()].flatMap((same) => same.slice(0, 1));
}

function saysOf({ column, says, type }: Role, isThere: boolean): string {
  const means = says === undefined ? '' : `, which says ${says}`;
  return isThere
    ? `The views read ${column}${means}, as ${type}, and the words of this API are others`
    : `The views know a column ${column}${means}, and no field of this API is called so`;
}

/** Whether a view reads a column of that name as it is. */
function isReadAs({ type, distinct }: ColumnFacts, wanted: Role['type']): boolean {
  if (wanted === 'boolean') return type === 'boolean' || (type === 'bigint' && distinct <= 2);
  return wanted !== 'timestamp' || type === 'timestamp' || type === 'date';
}

/** Whether values of that kind may be what the role holds. */
function fits({ type, filled, distinct, words }: ColumnFacts, { type: wanted }: Role): boolean {
  if (wanted === 'boolean')
    return type === 'boolean' || isSwitch({ type, words }) || (type === 'varchar' && areWords());
  if (wanted === 'timestamp') return type === 'timestamp' || type === 'date';
  if (wanted === 'varchar') return type === 'varchar' && distinct > 1;
  return NUMBERS.includes(type);

  function areWords() {
    return words.length > 1 && filled >= 2 * distinct;
  }
}

function isSwitch({ type, words }: Pick<ColumnFacts, 'type' | 'words'>): boolean {
  return type === 'bigint' && words.length > 0 && words.every((word) => word === '0' || word === '1');
}

interface CureOptions extends Pick<RoleQuestionsOptions, 'settings'> {
  readonly role: Role;
  readonly resource: ResourceName;
  readonly isAlone: boolean;
}

function cureOf({ column }: Candidate, { role, resource, isAlone, settings }: CureOptions): Cure {
  const { plainName, name, words, type } = column;
  const as = { ...settings[plainName], ...(name !== role.column && { as: role.column }) };
  const choices =
    role.type === 'boolean' && type === 'varchar'
      ? words.map((on) => ({ ...as, values: Object.fromEntries(words.map((word) => [word, word === on])) }))
      : [as];
  const isLikely = isAlone && choices.length === 1 && isSaidBy(name, role);
  return {
    setting: `resources.${resource}.columns.${plainName}`,
    choices,
    ...(isLikely && { isLikely }),
  };
}

/** Of an enumeration, as the views' own names say it. */
const FEW_WORDS = /(^|_)(state|status|type)$/;

/**
 * Of several times the one that moves comes first, of numbers the greatest. Of texts that which differs from record to record for a name, that with
 * the fewest words for a state, and for anything else the most different one that several records share.
 */
function rankOf(
  { middleTime = 0, middleNumber = 0, distinct, filled }: ColumnFacts,
  { column, type }: Role,
): number {
  if (type === 'timestamp') return middleTime;
  if (NUMBERS.includes(type)) return middleNumber;
  if (type !== 'varchar') return 0;
  if (FEW_WORDS.test(column)) return -distinct;
  return distinct < filled || column.endsWith('name') ? distinct / filled : 0;
}

/** True if a name has the role's words, each perhaps with an ending, and no other but one of time: `last_updated_at`. */
function isSaidBy(name: string, { column, type, says }: Role): boolean {
  if (says === undefined) return false;
  const [given, wanted] = [name.split('_'), column.split('_')];
  const pair = (word: string) => given.findIndex((each) => isForm(each, word));
  const found = wanted.map(pair);
  const others = given.filter((_, index) => !found.includes(index));
  return (
    wanted.length > 1 &&
    found.every((index) => index >= 0) &&
    new Set(found).size === wanted.length &&
    others.every((word) => type === 'timestamp' && ['at', 'time', 'date'].includes(word))
  );
}

/** `updated` and `updates` are forms of `update`. */
function isForm(word: string, other: string): boolean {
  const [short = '', long = ''] = [word, other].toSorted((a, b) => a.length - b.length);
  return long === short || (short.length > 3 && long.startsWith(short) && long.length - short.length <= 2);
}

/** The share of pairs of letters that two names have in common (Dice): 1 = the same letters; 0 = none, or no more than any two. */
function likeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  const common = a.filter((pair) => b.includes(pair)).length;
  const share = a.length + b.length === 0 ? 0 : (2 * common) / (a.length + b.length);
  return share < LIKE ? 0 : share;
}

function pairsOf(name: string): readonly string[] {
  const letters = name.replaceAll('_', '');
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) =>
    letters.slice(index, index + 2),
  );
}
