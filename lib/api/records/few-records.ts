import type { Body } from '../body/body.ts';
import type { Container, Member, Scan } from '../body/scan.ts';
import { wholeNumberOf } from '../paging/said-value.ts';
import { wordsOf } from '../paging/words.ts';

/** Keys that are remembered: enough to know a record by. */
const REMEMBERED = 100;

/** Words of members that say which call it was, when it was, and that it ended well. */
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
  'success',
  'ok',
  'status',
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

/** True if an answer is empty: `{}`, `""`, `null`, `false`, `0`, `{"count": 0}`. Members with idle names do not count. */
export function saysNothing({ scan: { container }, json }: Body): boolean {
  if (container === null) return json !== undefined && isNothing(json);
  return (
    container.kind === 'object' &&
    container.members.length === container.children &&
    container.members.every(isEmptyMember)
  );
}

function isEmptyMember({ name, text, container }: Member): boolean {
  if (container !== null)
    return (
      container.children === 0 || (container.kind === 'object' && container.members.every(isEmptyMember))
    );
  return text !== null && (isNothing(JSON.parse(text)) || wordsOf(name).some((word) => ABOUT_CALL.has(word)));
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
