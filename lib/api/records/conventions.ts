import type { Resource } from '../../sources/resources.ts';
import type { Container, Member } from '../body/scan.ts';
import { wordsOf } from '../read/words.ts';
import { keysOfMap, sampleOf } from './entries.ts';
import { isAsideName } from './few-records.ts';
import { isIgnoredAt, plainName } from './items-path.ts';
import type { EnvelopeOptions } from './shape.ts';

/** Servers' names for the list of records. Case, `_` and `-` do not count: `_items` is `items`. */
const LISTS =
  'value data items results result rows records content docs list entries objects member hydra:member'.split(
    ' ',
  );
/** Servers' names for an object around that list: `d.results`, `response.docs`. */
const HOLDERS = new Set(['d', 'response', 'hits', 'embedded']);
/** In these any list holds the records: `_embedded.players`, `hits.hits`. */
const OPEN_HOLDERS = new Set(['embedded', 'hits']);
/** The lists of a GraphQL connection, which has a name of its own: `data.players.edges`. */
const CONNECTION = ['nodes', 'edges'];
/** The most nested objects around a list. */
const DEEPEST = 2;
/** Lists of objects next to records: links, failures, descriptions. */
const ASIDE = new Set(
  'included link links error errors warning warnings message messages notice notices facet facets aggregations column columns field fields header headers action actions operation operations tag tags sort filter filters'.split(
    ' ',
  ),
);

/** The names that a listing's own records may have. */
export function ownNames({ listing, name, record }: Resource): readonly string[] {
  return [listing, name, `${record}s`].map(plainName);
}

/** The members of an answer with a known name that are null or hold something. */
export function knownMembers(root: Container, resource: Resource): readonly Member[] {
  const known = new Set([...LISTS, ...ownNames(resource)]);
  return root.members.filter(
    ({ name, kind, container }) => known.has(plainName(name)) && (container !== null || kind === 'null'),
  );
}

/** The lists where a convention has the records. The lists of a price list belong to its one record. */
export function conventionalLists(root: Container, resource: Resource): readonly Container[] {
  const known = new Set([...LISTS, ...ownNames(resource)]);
  const below = (object: Container, depth: number, holder: string): readonly Container[] =>
    object.members.flatMap(({ name, container }) => {
      const word = plainName(name);
      if (container === null) return [];
      if (container.kind === 'array') return known.has(word) || OPEN_HOLDERS.has(holder) ? [container] : [];
      if (depth === DEEPEST || (resource.mayBeOneRecord && word !== 'd' && hasValues(container))) return [];
      const connection = holder === 'data' ? connectionIn(container) : [];
      if (connection.length > 0) return connection;
      return known.has(word) || HOLDERS.has(word) ? below(container, depth + 1, word) : [];
    });
  const found = below(root, 0, '');
  // A list of texts next to a list of objects names something.
  const isObjects = found.some(({ objects }) => objects > 0);
  return isObjects ? found.filter(({ objects, children }) => objects > 0 || children === 0) : found;
}

/** An object with values of its own may be the one record of a price list, whatever lists it has. */
export function hasValues({ members }: Container): boolean {
  return members.some(
    ({ name, container, kind }) => container === null && kind !== 'null' && !isAsideName(name),
  );
}

function connectionIn({ members }: Container): readonly Container[] {
  const lists = CONNECTION.flatMap((name) => members.find((member) => member.name === name)?.container ?? []);
  return lists.filter(({ kind }) => kind === 'array').slice(0, 1);
}

/** Lists of objects in an answer, objects of objects, and empty ones, except those next to records. */
export function holdersIn(root: Container, ignore: readonly string[] | undefined): readonly Container[] {
  if (root.kind === 'array') return [];
  return root.members.flatMap(({ name, container }) => {
    if (container === null || ASIDE.has(wordsOf(name).at(-1) ?? '') || isIgnoredAt(container.path, ignore))
      return [];
    const inner = holdersIn(container, ignore);
    return container.objects === container.children ? [container, ...inner] : inner;
  });
}

/** Other possible places of the records: lists of objects, and maps with such entries. */
export function besides(
  list: Container,
  { root, options: { body, ignore } }: { readonly root: Container; readonly options: EnvelopeOptions },
): readonly Container[] {
  const own = new Set(sampleOf(list, body).flatMap(Object.keys));
  return holdersIn(root, ignore).filter((other) => {
    if (other.kind === 'array') return other !== list && other.children > 0;
    if (other.path.every((name, index) => list.path[index] === name)) return false;
    const keys = keysOfMap(other, { body });
    return keys !== null && (list.children === 0 || keys.some((key) => own.has(key)));
  });
}
