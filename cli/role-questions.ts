import { NUMERIC_TYPES } from '#lib/column-types.ts';
import type { Cure, Question } from '#lib/sources/question.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import type { ViewColumn, ViewFile } from '#lib/views/view-file.ts';
import type { ColumnFacts } from './column-facts.ts';

/** A name that views use for a column, with what it says if a view needs it. */
type Role = ViewColumn & { readonly says?: string };

interface Asked {
  readonly source: Source;
  readonly resource: ResourceName;
  readonly columns: readonly ColumnFacts[];
  readonly views: readonly ViewFile[];
  /** Whether views can read the column as it is. */
  readonly isGiven: (role: ViewColumn) => boolean;
}

const CANDIDATES_AT_MOST = 5;
/** Words that mean the same everywhere. */
const MEANINGS: Readonly<Record<string, boolean>> = { yes: true, on: true, no: false, off: false };
/** Names of times that say nothing about another event. */
const OF_THE_RECORD = /^(creat|modif)/;

/** Asks which column fills a role that none fills. It proposes one of the same letters, others if a view needs it. */
export function roleQuestions({ source, resource, columns, views, isGiven }: Asked): readonly Question[] {
  // What views need comes first.
  const all: readonly Role[] = [...views.flatMap(({ needs }) => needs), ...views.flatMap(({ uses }) => uses)];
  const ofListing = all.filter(({ table }) => table === resource);
  const roles = ofListing.filter((role) => role === ofListing.find(({ column }) => column === role.column));
  const wrapper = wrapperOf(columns);
  const own = source.resources[resource]?.columns ?? {};
  return roles.flatMap((role): readonly Question[] => {
    const { column, says } = role;
    // A field that has the name by `as` fills it, and TYPE_MISFIT asks if its values do not fit.
    if (isGiven(role) || Object.values(own).some(({ as }) => as === column)) return [];
    const free = columns.filter(
      ({ name }) => name === column || !roles.some((other) => other.column === name),
    );
    const fitting = free.filter((each) => fitOf(each, role) !== undefined);
    const namedIn = (object: (path: readonly string[]) => string | undefined) =>
      fitting.filter(({ path }) => lettersOf(path, object(path)) === lettersOf([column]));
    const likeliest = namedIn(() => wrapper);
    // One word for all records, such as `sys.type`, says less than the words of another object.
    const isOneWord = likeliest.length > 0 && likeliest.every(({ words }) => words.length === 1);
    const varied = isOneWord ? namedIn(([first]) => first).filter(({ words }) => words.length !== 1) : [];
    const named = varied.length > 0 ? varied : likeliest;
    const others = says === undefined ? [] : fitting.filter((each) => mayBe(each, role));
    const meant = named.length > 0 ? named : others;
    if (meant.length === 0) return [];
    const cures = meant.slice(0, CANDIDATES_AT_MOST).map((each): Cure => {
      const setting = `resources.${resource}.columns.${each.plainName}`;
      const as = { ...own[each.plainName], ...(each.name !== column && { as: column }) };
      const choices =
        fitOf(each, role) === 'plain' ? [as] : meaningsOf(each).map((values) => ({ ...as, values }));
      const isLikely = named.length === 1 && choices.length === 1;
      return { setting, choices, ...(isLikely && { isLikely }) };
    });
    const means = says === undefined ? '' : `, which says ${says}`;
    const text = `The views read a column ${column}${means}, and no field of this API fills it without a setting`;
    return [{ code: 'ROLE_UNFILLED', source: source.name, resource, column, says: text, cures }];
  });
}

/** The object with most fields of a record, such as `attributes` of JSON:API. */
function wrapperOf(columns: readonly ColumnFacts[]): string | undefined {
  const nested = columns.filter(({ path }) => path.length > 1).map(({ path: [first] }) => first);
  return nested.find((name) => nested.filter((each) => each === name).length * 2 > columns.length);
}

/** The letters of a name that an object may be around. */
function lettersOf(path: readonly string[], wrapper?: string): string {
  const own = path[0] === wrapper && path.length > 1 ? path.slice(1) : path;
  return own
    .join('')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** How values may be the role's: as they are, or by what their words mean; undefined if they cannot. */
function fitOf({ type, words }: ColumnFacts, role: Role): 'plain' | 'words' | undefined {
  if (role.type === 'boolean' && type === 'varchar') return words.length > 1 ? 'words' : undefined;
  const isSwitch = type === 'bigint' && words.length > 0 && words.every((word) => /^[01]$/.test(word));
  const isFit =
    type === role.type ||
    (role.type === 'boolean' && isSwitch) ||
    (role.type === 'timestamp' && type === 'date') ||
    [type, role.type].every((each) => NUMERIC_TYPES.some((numeric) => numeric === each));
  return isFit ? 'plain' : undefined;
}

/** Whether a person may mean a field of another name; a text must share a word with the role. */
function mayBe({ name, type, words }: ColumnFacts, role: Role): boolean {
  const [given, wanted] = [name.split('_'), role.column.split('_')];
  if (given.some((word) => wanted.includes(word) && word !== 'is' && word !== 'last')) return true;
  if (given.some((word) => OF_THE_RECORD.test(word))) return false;
  return (
    type !== 'varchar' || (role.type === 'boolean' && words.some((word) => word.toLowerCase() in MEANINGS))
  );
}

/** What the words may mean: one choice if each is plain, otherwise one for each that may mean yes. */
function meaningsOf({ words }: ColumnFacts): readonly Readonly<Record<string, boolean>>[] {
  const plain = words.map((word) => [word, MEANINGS[word.toLowerCase()]] as const);
  const isPlain = plain.every((pair): pair is readonly [string, boolean] => pair[1] !== undefined);
  if (isPlain) return [Object.fromEntries(plain)];
  return words.map((yes) => Object.fromEntries(words.map((word) => [word, word === yes])));
}
