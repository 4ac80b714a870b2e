import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import type { Container, Member, Scan } from '../body/scan.ts';
import { ListingError } from '../codes.ts';
import { isIgnored } from '../read/facts.ts';
import { wordsOf } from '../read/words.ts';
import { hasId, isObject, keysOfMap, valuesOf } from './entries.ts';
import { isAsideName } from './few-records.ts';
import { containerAt, type Envelope, plainName, renderEnvelope } from './items-path.ts';
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

/** True for a list under a known name, at most two objects deep, whatever these are called. */
export function isKnownList({ path }: Container, resource: Resource): boolean {
  const known = [...LISTS, ...ownNames(resource)];
  return path.length <= DEEPEST + 1 && known.includes(plainName(path.at(-1) ?? ''));
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

/** True for the name of a list that is no records. */
export const isAsideList = (name: string): boolean => ASIDE.has(wordsOf(name).at(-1) ?? '');

/** Lists of objects in an answer, objects of objects, and empty ones, except those next to records. */
export function holdersIn(root: Container, ignore: readonly string[] = []): readonly Container[] {
  if (root.kind === 'array') return [];
  return root.members.flatMap(({ name, container }) => {
    if (container === null || isAsideList(name) || isIgnored(container, ignore)) return [];
    const inner = holdersIn(container, ignore);
    return container.objects === container.children ? [container, ...inner] : inner;
  });
}

type About = Pick<EnvelopeOptions, 'body' | 'resource'>;

/** The setting for the place of the records. */
export function itemsCure({ resource }: Pick<About, 'resource'>, choices: readonly string[]): Cure {
  return { setting: `resources.${resource.name}.items`, choices: [...choices] };
}

/** A place of which a wrong choice would lose nothing. */
export function likely(about: About, items: string, when = 'the records are there'): Cure {
  return { ...itemsCure(about, [items]), when, isLikely: true };
}

/** The error where the records cannot be found. `cures` names the possible places, the likeliest first. */
export function unknownEnvelope(about: About, what: string, cures: readonly Cure[] = []): ListingError {
  const elsewhere = { ...itemsCure(about, []), open: 'where they are' };
  return new ListingError('ENVELOPE_UNKNOWN', `${what} (seen: ${seenIn(about.body.scan)})`, {
    resource: about.resource.name,
    ...(cures.length > 0 && { cures: [...cures, elsewhere] }),
  });
}

/** The error where several places may hold the records. */
export function ambiguousEnvelope(about: About, found: readonly Container[]): ListingError {
  const places = found.map(({ path, kind, children }) => `${path.join('.')} (${kind} of ${children})`);
  const choices = [...new Set(found.map(itemsOf))];
  const says = `The records may be at ${places.join(' or ')}`;
  const cures = [itemsCure(about, choices)];
  return new ListingError('ENVELOPE_AMBIGUOUS', says, { resource: about.resource.name, cures });
}

const NAMES_SHOWN = 12;
const NAME_LENGTH = 40;

/** Describes a body by kinds, keys and counts, never by values. */
function seenIn({ container, root }: Scan): string {
  if (container === null) return root;
  const { kind, children, objects, members } = container;
  if (kind === 'array') return `an array of ${children}, ${objects} of them objects`;
  const shown = members.slice(0, NAMES_SHOWN).map(memberText);
  const more = children > shown.length ? [`${children - shown.length} more`] : [];
  return `an object with ${[...shown, ...more].join(', ') || 'no members'}`;
}

function memberText({ name, kind, container }: Member): string {
  const key = JSON.stringify(name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name);
  return container === null ? `${key}: ${kind}` : `${key}: ${kind} of ${container.children}`;
}

const itemsOf = ({ path, kind }: Container): string =>
  renderEnvelope({ path, form: kind === 'array' ? 'array' : 'map' });

/** The possible places where no convention has the records: lists, rows with columns, and a map. */
export function placesElsewhere(options: EnvelopeOptions): readonly Cure[] {
  const { body, ignore } = options;
  const root = body.scan.container;
  if (root === null) return [];
  const holders = holdersIn(root, ignore);
  const lists = holders.filter(({ kind, children }) => kind === 'array' && children > 0);
  if (lists.length > 0) return lists.map((list) => likely(options, itemsOf(list)));
  const rows = listsBelow(root).flatMap((container) => rowsWithColumns(options, container));
  if (rows.length > 0) return rows;
  const maps = [root, ...holders].filter((each) => keysOfMap(each, { body }) !== null);
  const when = 'its members are the records';
  const isOne = maps.length === 0 && root.kind === 'object' && root.objects === root.children;
  return isOne
    ? [{ ...itemsCure(options, [itemsOf(root)]), when }]
    : maps.map((map) => likely(options, itemsOf(map), when));
}

/**
 * What all entries hold in place of records, and nothing else that identifies an entry. It is a list of objects
 * (`[{"screens": […]}]`) or an object (`[{"Player": {…}}]`). Undefined where they are the records.
 */
export function levelIn({ id }: EnvelopeOptions, entries: readonly object[]): Envelope | undefined {
  if (hasId(entries, id)) return undefined;
  const names = new Set(entries.flatMap((entry) => Object.keys(entry)).filter((name) => !isAsideName(name)));
  const [name = ''] = names;
  const values = entries.map((entry): unknown => Reflect.get(entry, name));
  if (names.size !== 1) return undefined;
  const areLists = values.every((value) => Array.isArray(value) && value.every(isObject));
  if (areLists) return { path: [name], form: 'array' };
  return values.every(isObject) ? { path: [name], form: 'record' } : undefined;
}

/** The column names of rows at a path; undefined unless they are different texts. */
export function columnNames(body: Body, names: readonly string[]): readonly string[] | undefined {
  const at = containerAt(body.scan.container, names);
  const texts = at?.kind === 'array' ? valuesOf(at, body) : [];
  const isNames = texts.length > 0 && texts.every((name) => typeof name === 'string' && name !== '');
  return isNames && new Set(texts).size === texts.length ? texts.map(String) : undefined;
}

/** The possible columns of a list of rows, as the setting `items` says them. */
export function rowsWithColumns(about: About, rows: Container): readonly Cure[] {
  const { body } = about;
  const [first] = rows.arrays > 0 && rows.arrays === rows.children ? valuesOf(rows, body) : [];
  const length = Array.isArray(first) ? first.length : 0;
  const lists = listsBelow(body.scan.container).filter(
    ({ path, children }) => children === length && columnNames(body, path) !== undefined,
  );
  return lists.map(({ path: names }) =>
    likely(about, renderEnvelope({ path: rows.path, form: 'rows', names }), 'the columns are named there'),
  );
}

function listsBelow(container: Container | null): readonly Container[] {
  if (container === null || container.kind === 'array') return container === null ? [] : [container];
  return container.members.flatMap((member) => listsBelow(member.container));
}
