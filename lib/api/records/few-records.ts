import type { Body } from '../body/body.ts';
import type { Container, Member, Scan } from '../body/scan.ts';
import { type Role, roleOf } from '../paging/page-roles.ts';
import { isAddress, wholeNumberOf } from '../paging/said-value.ts';
import { wordsOf } from '../paging/words.ts';

/** Keys that are remembered: enough to know a record by. */
const REMEMBERED = 100;

/** Words of what says which call it was, and when. */
const ABOUT_CALL = new Set([
  'request',
  'trace',
  'correlation',
  'time',
  'timestamp',
  'date',
  'duration',
  'took',
  'version',
]);

/** What a text says where the call went well. */
const WENT_WELL = new Set(['ok', 'success', 'successful', 'succeeded', 'done', 'complete', 'completed']);

/** Numbers that say how pages are cut, and nothing of how many records there are. */
const OF_PAGES: ReadonlySet<Role | undefined> = new Set([
  'page',
  'pages',
  'pageSize',
  'offset',
  'limit',
  'idle',
]);

/** The keys that most of the records have. */
export function sharedKeys(records: readonly object[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const record of records)
    for (const key of Object.keys(record)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .flatMap(([key, count]) => (count > records.length / 2 ? [key] : []))
    .slice(0, REMEMBERED);
}

/**
 * Whether an answer has nothing in it: `{}`, `""`, `null`, `false`, `0`, `{"count": 0}`; what says how the call went, how
 * pages are cut and where the answer stands aside. A text that nobody understands is something.
 */
export function saysNothing({ scan: { container }, json }: Body): boolean {
  if (container === null) return json !== undefined && isNothing(json);
  return isEmpty(container, []);
}

/** Whether an answer with nothing in it declares that there is no record: HAL leaves the list out beside `total: 0`. */
export function declaresNone(body: Body): boolean {
  return saysNothing(body) && body.scan.container !== null && hasTotal(body.scan.container);
}

/** Of an answer with nothing in it, a total is 0. */
function hasTotal({ members }: Container): boolean {
  return members.some(({ name, text, container }) =>
    container === null
      ? text !== null && roleOf(wordsOf(name), JSON.parse(text)) === 'total'
      : hasTotal(container),
  );
}

function isEmpty({ kind, children, members }: Container, holders: readonly string[]): boolean {
  if (children === 0) return true;
  return (
    kind === 'object' && members.length === children && members.every((each) => isEmptyMember(each, holders))
  );
}

function isEmptyMember({ name, text, container }: Member, holders: readonly string[]): boolean {
  const words = wordsOf(name);
  if (container !== null) return isEmpty(container, words);
  if (text === null) return false;
  const value: unknown = JSON.parse(text);
  if (isNothing(value) || words.some((word) => ABOUT_CALL.has(word))) return true;
  const role = roleOf([...holders, ...words], value);
  if (typeof value === 'string' && wholeNumberOf(value) === undefined)
    return WENT_WELL.has(value.toLowerCase()) || (isAddress(value) && role !== 'next');
  const own = roleOf(words, value);
  return OF_PAGES.has(own) || own === 'last';
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || value === false || wholeNumberOf(value) === 0;
}

/** The object in place of a list, or the whole answer, if it has the keys of a record. */
export function oneOfList(
  { container: root }: Scan,
  { path, keys }: { readonly path: readonly string[]; readonly keys: readonly string[] },
): Container | null {
  let at = root;
  for (const name of path) at = at?.members.find((member) => member.name === name)?.container ?? null;
  for (const object of [at, root]) {
    if (object === null || object.kind !== 'object' || keys.length === 0) continue;
    const known = object.members.filter(({ name }) => keys.includes(name)).length;
    // An envelope may share names with its records (`_links`, `player_id`): alone it has to have most of theirs.
    const due = object === at ? Math.min(object.children, keys.length) : keys.length;
    if (known * 2 > due) return object;
  }
  return null;
}
