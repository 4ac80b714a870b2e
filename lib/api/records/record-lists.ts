import { isIdleList } from '../beside/idle-words.ts';
import type { Body } from '../body/body.ts';
import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';

/** The most records that are looked at. */
const SAMPLED = 20;
/** A larger piece has few and large records, which are not looked at. */
const SAMPLE_BYTES = 1024 * 1024;

/** The lists of objects in an answer, but none within another, and none whose name never means records, such as `links`. */
export function listsOfObjects(root: Container): readonly Container[] {
  return listsIn(root, ({ objects, children }) => objects > 0 && objects === children);
}

/** Likewise the lists that are empty. */
export function emptyLists(root: Container): readonly Container[] {
  return listsIn(root, ({ children }) => children === 0);
}

function listsIn(root: Container, isWanted: (list: Container) => boolean): readonly Container[] {
  if (root.kind === 'array') return [];
  return root.members.flatMap(({ name, container }) => {
    if (container === null || isIdleList(name)) return [];
    return container.kind === 'array' && isWanted(container) ? [container] : listsIn(container, isWanted);
  });
}

/** The first records of a list, without its nulls and whatever else is no object; none if they are too large. */
export function sampleOf(container: Container, body: Body): readonly object[] {
  return entriesOf(container, body)
    .slice(0, SAMPLED)
    .filter((entry) => typeof entry === 'object' && entry !== null);
}

function entriesOf(container: Container, body: Body): readonly unknown[] {
  const [piece] = container.cuts;
  const parsed = container.path.reduce((at, name) => Object(at)[name] as unknown, body.json);
  if (Array.isArray(parsed) && parsed.length === container.children) return parsed;
  if (container.kind !== 'array' || piece === undefined || piece.at - container.first > SAMPLE_BYTES)
    return [];
  try {
    return JSON.parse(`[${textOf(body.read(container.first, piece.at))}]`) as readonly unknown[];
  } catch {
    return [];
  }
}
