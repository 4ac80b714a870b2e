import type { Body } from '../body/body.ts';
import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';
import { isIdleList } from '../paging/idle-words.ts';
import { roleOf } from '../paging/page-roles.ts';
import { wordsOf } from '../paging/words.ts';

/** Records that are looked at: enough to see how they are built. */
const SAMPLED = 20;
/** A piece that is larger has one record, or a few that are large: they are taken as they are. */
const SAMPLE_BYTES = 1024 * 1024;

/** Lists of objects in an answer, those aside that are never records by their name, such as links; none within another. */
export function listsOfObjects(root: Container): readonly Container[] {
  if (root.kind === 'array') return [];
  return root.members.flatMap(({ name, container }) => {
    if (container === null || isIdleList(name)) return [];
    const isList =
      container.kind === 'array' && container.objects > 0 && container.objects === container.children;
    return isList ? [container] : listsOfObjects(container);
  });
}

/** The first records of a list; none where they are too large to be looked at. */
export function sampleOf(container: Container, body: Body): readonly object[] {
  const [piece] = container.cuts;
  const parsed = container.path.reduce((at, name) => Object(at)[name] as unknown, body.json);
  if (Array.isArray(parsed) && parsed.length === container.children) return parsed.slice(0, SAMPLED);
  if (container.kind !== 'array' || piece === undefined || piece.at - container.first > SAMPLE_BYTES)
    return [];
  try {
    const records: unknown = JSON.parse(`[${textOf(body.read(container.first, piece.at))}]`);
    return (records as readonly object[]).slice(0, SAMPLED);
  } catch {
    return [];
  }
}

/** Why the entries of a list are no records by themselves: each holds a list and nothing that names it (`[{"screens": […]}]`); null where they are. */
export function wrappedIn(records: readonly object[]): string | null {
  if (records.length === 0) return null;
  const isLevel = records.every((record) => {
    const members = Object.entries(record);
    return (
      members.some(([, value]) => isListOfObjects(value)) &&
      members.every(([name, value]) => saysNothing(name, value))
    );
  });
  return isLevel ? 'each entry holds a list and nothing that tells it from the others' : null;
}

/** A list or object, or a member that speaks of pages: none by which a record is known. */
function saysNothing(name: string, value: unknown): boolean {
  if (typeof value === 'object') return true;
  const role = roleOf(wordsOf(name), value);
  return role !== undefined && role !== 'idle';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
