import type { Cure, Question } from '#lib/sources/question.ts';
import type { ColumnSetting } from '#lib/sources/resource-settings.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import type { ViewColumn, ViewFile } from '#lib/views/view-file.ts';
import { type ColumnFacts, NUMBERS } from './column-facts.ts';

/** A name by which views know a column: what it says, where a view cannot do without. */
interface Role extends ViewColumn {
  readonly says?: string;
}

export interface RoleQuestionsOptions {
  readonly source: string;
  readonly resource: ResourceName;
  /** Those of this source and listing that have values and are in clear. */
  readonly columns: readonly ColumnFacts[];
  /** Names that the table has in this source, also of columns without a value. */
  readonly names: ReadonlySet<string>;
  readonly views: readonly ViewFile[];
  /** What the config says of its columns, by their names without `as`. */
  readonly settings: Readonly<Record<string, ColumnSetting>>;
}

const CANDIDATES_AT_MOST = 5;
/** Words that mean the same wherever they stand. */
const PLAIN_WORDS: Readonly<Record<string, boolean>> = { yes: true, on: true, no: false, off: false };
/** Of times that say nothing of another event. */
const OF_THE_RECORD = /^(creat|modif)/;

/**
 * Asks for each role of a listing that none of its columns fills which of them does. A field that has the role's own name, but
 * for case, separators and the object around the record, is proposed. Of others it is only asked where a view cannot do without.
 */
export function roleQuestions(options: RoleQuestionsOptions): readonly Question[] {
  const { source, resource, columns, names, views, settings } = options;
  const roles = rolesOf(views, resource);
  const open = roles.filter(
    (role) =>
      !names.has(role.column) ||
      columns.some((each) => each.name === role.column && !isReadAs(each, role.type)),
  );
  const wrapper = wrapperOf(columns);
  return open.flatMap((role): readonly Question[] => {
    const fitting = columns.filter(
      (column) =>
        fits(column, role) &&
        (column.name === role.column || !roles.some(({ column: name }) => name === column.name)),
    );
    const named = fitting.filter(({ path }) => lettersOf(ownName(path, wrapper)) === lettersOf(role.column));
    const meant =
      named.length > 0 || role.says === undefined ? named : fitting.filter((each) => mayBe(each, role));
    if (meant.length === 0) return [];
    const cures = meant.slice(0, CANDIDATES_AT_MOST).map((each) => {
      const { choices, isPlain } = choicesOf(each, { role, setting: settings[each.plainName] });
      const isLikely = named.length === 1 && isPlain;
      const setting = `resources.${resource}.columns.${each.plainName}`;
      return { setting, choices, ...(isLikely && { isLikely: true as const }) };
    });
    return [{ code: 'ROLE_UNFILLED', source, resource, column: role.column, says: saysOf(role), cures }];
  });
}

/** What views need comes first. */
function rolesOf(views: readonly ViewFile[], resource: ResourceName): readonly Role[] {
  const all: readonly Role[] = [...views.flatMap(({ needs }) => needs), ...views.flatMap(({ uses }) => uses)];
  const own = all.filter(({ table }) => table === resource);
  return [...Map.groupBy(own, ({ column }) => column).values()].flatMap((same) => same.slice(0, 1));
}

function saysOf({ column, says }: Role): string {
  const means = says === undefined ? '' : `, which says ${says}`;
  return `The views know a column ${column}${means}, and no field of this API fills it as it is`;
}

/** The object that holds most fields of a record, as `attributes` of JSON:API does. */
function wrapperOf(columns: readonly ColumnFacts[]): string | undefined {
  const inside = Map.groupBy(
    columns.filter(({ path }) => path.length > 1),
    ({ path }) => path[0],
  );
  return [...inside].find(([, same]) => same.length * 2 > columns.length)?.[0];
}

function ownName(path: readonly string[], wrapper: string | undefined): string {
  return (path[0] === wrapper && path.length > 1 ? path.slice(1) : path).join('.');
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a view reads a column of that name as it is. */
function isReadAs({ type, words }: ColumnFacts, wanted: Role['type']): boolean {
  if (wanted === 'boolean') return type === 'boolean' || isSwitch({ type, words });
  return wanted !== 'timestamp' || type === 'timestamp' || type === 'date';
}

/** Whether values of that kind may be what the role holds. */
function fits({ type, words }: ColumnFacts, { type: wanted }: Role): boolean {
  if (wanted === 'boolean')
    return type === 'boolean' || isSwitch({ type, words }) || (type === 'varchar' && words.length > 1);
  if (wanted === 'timestamp') return type === 'timestamp' || type === 'date';
  return wanted === 'varchar' ? type === 'varchar' : NUMBERS.includes(type);
}

function isSwitch({ type, words }: Pick<ColumnFacts, 'type' | 'words'>): boolean {
  return type === 'bigint' && words.length > 0 && words.every((word) => word === '0' || word === '1');
}

/** Whether a person may mean a field of another name: of texts only one that shares a word with the role. */
function mayBe({ name, type, words }: ColumnFacts, role: Role): boolean {
  const [given, wanted] = [name.split('_'), role.column.split('_')];
  if (given.some((word) => wanted.includes(word) && word !== 'is' && word !== 'last')) return true;
  if (given.some((word) => OF_THE_RECORD.test(word))) return false;
  return (
    type !== 'varchar' || (role.type === 'boolean' && words.some((word) => word.toLowerCase() in PLAIN_WORDS))
  );
}

/** What the column's setting may be, and whether nothing but its one choice can be meant. */
function choicesOf(
  { name, type, words }: ColumnFacts,
  { role, setting }: { readonly role: Role; readonly setting: ColumnSetting | undefined },
): { readonly choices: Cure['choices']; readonly isPlain: boolean } {
  const as = { ...setting, ...(name !== role.column && { as: role.column }) };
  if (role.type !== 'boolean' || type !== 'varchar') return { choices: [as], isPlain: true };
  const plain = words.map((word) => [word, PLAIN_WORDS[word.toLowerCase()]] as const);
  if (plain.every(([, means]) => means !== undefined))
    return {
      choices: [{ ...as, values: Object.fromEntries(plain) as Record<string, boolean> }],
      isPlain: true,
    };
  const choices = words.map((on) => ({
    ...as,
    values: Object.fromEntries(words.map((word) => [word, word === on])),
  }));
  return { choices, isPlain: false };
}
