import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import type { Container, Member } from '../body/scan.ts';
import { type Dialect, type Envelope, parseEnvelope, renderEnvelope } from '../dialect.ts';
import { ListingError } from '../listing-error.ts';
import { isIgnored as isIgnoredPath } from '../paging/beside.ts';
import { isIdleList } from '../paging/idle-words.ts';
import { oneOfList, saysNothing, sharedKeys } from './few-records.ts';
import { isLikeMap, keysOfMap, NO_RECORD_KEYS } from './keyed-map.ts';
import type { Place } from './place.ts';
import { listsOfObjects, sampleOf, wrappedIn } from './record-lists.ts';
import { seenIn } from './seen.ts';

export interface Shape {
  readonly envelope: string;
  /** Null if the answer has nothing in place of the records. */
  readonly place: Place | null;
  /** The keys that most entries share, if the records are a map with enough entries to prove it. */
  readonly keys?: readonly string[];
}

export interface EnvelopeOptions {
  readonly body: Body;
  readonly resource: Resource;
  /** `resources.NAME.items`. */
  readonly setting: string | undefined;
  /** `resources.NAME.ignore`. */
  readonly ignore?: readonly string[];
  /** The dialect of earlier answers. */
  readonly lock: Pick<Dialect, 'envelope' | 'keys'> | undefined;
}

const KNOWN_KEYS = ['value', 'data', 'items', 'results', 'result', 'rows', 'records'];

/**
 * Where the records of an answer are. Throws ListingError: ENVELOPE_UNKNOWN or ENVELOPE_AMBIGUOUS if the answer does not
 * decide it, SHAPE_CHANGED if the shape is not the locked one and the evidence for it is weaker.
 * @see docs/answers.md, "Envelope"
 */
export function findRecords(options: EnvelopeOptions): Shape {
  const { body, setting, lock } = options;
  if (setting !== undefined) return bySetting(options, setting);
  const locked = lock === undefined ? null : parseEnvelope(lock.envelope);
  if (locked?.form === 'map') {
    const container = containerAt(body.scan.container, locked.path);
    if (container !== null && isLikeMap(container, { keys: lock?.keys, read: body.read }))
      return shapeOf(locked, container, lock?.keys);
  }
  const found = detectOr(options, locked);
  if (
    lock === undefined ||
    found.place === null ||
    found.place.container.children === 0 ||
    found.envelope === lock.envelope
  )
    return found;
  if (found.place.form === 'array' && locked?.form === 'array') return found;
  throw new ListingError(
    'SHAPE_CHANGED',
    `The records were at ${lock.envelope} and are now at ${found.envelope}`,
    {
      resource: options.resource.name,
      cures: [{ setting: settingOf(options), choices: [found.envelope], when: 'these are the same records' }],
    },
  );
}

/** What the answer itself shows. If it has one record or none, what earlier answers or those of other parents show. */
function detectOr(options: EnvelopeOptions, locked: Envelope | null): Shape {
  try {
    return detect(options);
  } catch (error) {
    const isOpen = error instanceof ListingError && error.code === 'ENVELOPE_UNKNOWN';
    if (!isOpen || locked?.form !== 'array' || options.resource.parent === null) throw error;
    const one = oneOfList(options.body.scan, { path: locked.path, keys: options.lock?.keys ?? [] });
    if (one === null) {
      if (!saysNothing(options.body)) throw error;
      return { envelope: renderEnvelope(locked), place: null };
    }
    const { place } = shapeOf({ path: one.path, form: 'record' }, one);
    return { envelope: renderEnvelope(locked), place };
  }
}

function detect(options: EnvelopeOptions): Shape {
  const { body, resource, ignore = [] } = options;
  const root = body.scan.container;
  if (root === null) throw unknown(options, 'The answer is a single value');
  if (root.kind === 'array') return arrayAt(options, root);
  const known = new Set([...KNOWN_KEYS, resource.listing, resource.name, `${resource.record}s`].map(plain));
  const candidates = candidatesIn(root, known);
  const arrays = candidates.flatMap((member) =>
    arraysBelow(member, { known, oneRecord: resource.mayBeOneRecord }),
  );
  const [array, ...moreArrays] = arrays;
  if (array !== undefined) {
    if (moreArrays.length > 0) throw ambiguous(options, arrays);
    const besides = [
      ...listsOfObjects(root).filter((list) => list !== array && !isIgnored(list, ignore)),
      ...mapsBeside(root, { array, options }),
    ];
    if (besides.length > 0) throw ambiguous(options, [array, ...besides]);
    return arrayAt(options, array);
  }
  const objects = candidates.flatMap(({ container }) => (container === null ? [] : [container]));
  const [object = root, ...moreObjects] = objects;
  if (moreObjects.length > 0) throw ambiguous(options, objects);
  const keys = keysOfMap(object, body.read);
  if (keys !== null) return shapeOf({ path: object.path, form: 'map' }, object, keys);
  if (resource.mayBeOneRecord && object.children > 0 && !saysNull(candidates) && !isNotice(object)) {
    return shapeOf({ path: object.path, form: 'record' }, object);
  }
  if (saysNull(candidates) && resource.parent !== null)
    return { envelope: nullEnvelope(candidates), place: null };
  const lists = listsOfObjects(root).filter((each) => !isIgnored(each, ignore));
  const [list, ...moreLists] = lists;
  const only = list !== undefined && moreLists.length === 0 ? list : undefined;
  if (only !== undefined && known.has(plain(only.path.at(-1) ?? '')) && isOnlyWay(root, only))
    return arrayAt(options, only);
  if (moreLists.length > 0) throw ambiguous(options, lists);
  throw unknown(options, 'The answer has no list of records that is recognised', {
    list: only && renderEnvelope({ path: only.path, form: 'array' }),
    map: list === undefined ? mapAt(object) : undefined,
  });
}

/** True if only this list can hold the records: the objects around it hold no other object of objects. */
function isOnlyWay(root: Container, list: Container): boolean {
  let at: Container | undefined = root;
  for (const name of list.path) {
    const next: Member | undefined = at?.members.find((member) => member.name === name);
    if (at === undefined || next === undefined || at.members.length < at.children) return false;
    at = next.container ?? undefined;
  }
  return true;
}

/** Objects beside a list whose entries are like its records, so that they may be the listing as well. */
function mapsBeside(
  root: Container,
  { array, options }: { readonly array: Container; readonly options: EnvelopeOptions },
): readonly Container[] {
  const { body, ignore = [] } = options;
  const own = new Set(sampleOf(array, body).flatMap((record) => Object.keys(record)));
  return objectsIn(root).filter((object) => {
    if (
      array.path.length > object.path.length &&
      object.path.every((name, index) => array.path[index] === name)
    )
      return false;
    const keys = isIgnored(object, ignore) ? null : keysOfMap(object, body.read);
    return keys !== null && (own.size === 0 ? array.children === 0 : keys.some((key) => own.has(key)));
  });
}

/** The objects of objects in an answer. */
function objectsIn({ kind, members }: Container): readonly Container[] {
  if (kind === 'array') return [];
  return members.flatMap(({ name, container }) =>
    container === null || container.kind === 'array' || isIdleList(name)
      ? []
      : [...(container.objects === container.children ? [container] : []), ...objectsIn(container)],
  );
}

function isIgnored({ path }: Container, ignore: readonly string[]): boolean {
  return isIgnoredPath({ path }, ignore);
}

/** The envelope of a map by key, for an object of one entry or none that may be one. */
function mapAt({ kind, path, objects, children, members }: Container): string | undefined {
  const isNest = members.some(({ container }) => container?.members.every((each) => each.container !== null));
  return kind === 'object' && objects === children && !isNest
    ? renderEnvelope({ path, form: 'map' })
    : undefined;
}

/** The members under a known key, and `d`, which may hold `results`. */
function candidatesIn(object: Container, known: ReadonlySet<string>): readonly Member[] {
  return object.members.flatMap((member) => {
    if (member.name.toLowerCase() === 'd')
      return (member.container?.members ?? []).filter(({ name }) => name.toLowerCase() === 'results');
    const holds = member.container !== null || member.kind === 'null';
    return holds && known.has(plain(member.name)) ? [member] : [];
  });
}

/** The member itself, or the arrays under known keys in it. The arrays of a price list belong to its one record. */
function arraysBelow(
  { container }: Member,
  { known, oneRecord }: { known: ReadonlySet<string>; oneRecord: boolean },
): readonly Container[] {
  if (container === null) return [];
  if (container.kind === 'array') return [container];
  if (oneRecord) return [];
  return container.members.flatMap(({ name, container: inner }) =>
    inner?.kind === 'array' && known.has(plain(name)) ? [inner] : [],
  );
}

/** True for `{"Message": "OK"}`, which says how the call ended and is no record. */
function isNotice(object: Container): boolean {
  return object.members.some(({ name }) => NO_RECORD_KEYS.has(name.toLowerCase()));
}

function saysNull(candidates: readonly Member[]): boolean {
  return candidates.length === 1 && candidates[0]?.kind === 'null';
}

function nullEnvelope(candidates: readonly Member[]): string {
  return candidates[0]?.name ?? '$';
}

function arrayAt(options: EnvelopeOptions, container: Container): Shape {
  if (container.objects !== container.children) {
    const odd = container.children - container.objects;
    throw unknown(options, `${odd} of ${container.children} entries are no objects`);
  }
  const wrapped = options.setting === undefined ? wrappedIn(sampleOf(container, options.body)) : null;
  if (wrapped !== null) {
    const place = renderEnvelope({ path: container.path, form: 'array' });
    throw unknown(options, `In the list at ${place} ${wrapped}`, { list: place });
  }
  const isKnown = options.lock !== undefined || options.resource.parent === null;
  const keys =
    isKnown || container.children === 0 ? undefined : sharedKeys(sampleOf(container, options.body));
  return shapeOf({ path: container.path, form: 'array' }, container, keys);
}

function shapeOf({ path, form }: Envelope, container: Container, keys?: readonly string[]): Shape {
  const envelope = renderEnvelope({ path, form });
  return { envelope, place: { path, form, container }, ...(keys && { keys }) };
}

function bySetting(options: EnvelopeOptions, setting: string): Shape {
  const wanted = parseEnvelope(setting);
  const container = wanted === null ? null : containerAt(options.body.scan.container, wanted.path);
  const says = `The setting items is ${JSON.stringify(setting)}`;
  if (wanted === null) throw unknown(options, `${says}, which is no path`);
  if (container === null) {
    const parent = containerAt(options.body.scan.container, wanted.path.slice(0, -1));
    const member = parent?.members.find(({ name }) => name === wanted.path.at(-1));
    if (member?.kind === 'null' && options.resource.parent !== null)
      return { envelope: renderEnvelope(wanted), place: null };
    throw unknown(options, `${says}, but nothing is there`);
  }
  if (container.kind === 'array' && wanted.form === 'array') return arrayAt(options, container);
  if (container.kind === 'object' && wanted.form === 'record') return shapeOf(wanted, container);
  if (container.kind === 'object' && wanted.form === 'array' && options.resource.mayBeOneRecord) {
    return shapeOf({ ...wanted, form: 'record' }, container);
  }
  if (container.kind === 'object' && wanted.form === 'map' && container.objects === container.children)
    return shapeOf(wanted, container);
  // Some servers write a map without entries as a list without entries.
  if (container.kind === 'array' && container.children === 0)
    return { envelope: renderEnvelope(wanted), place: null };
  throw unknown(options, `${says}, but an ${container.kind} is there`);
}

/** Follows member names: exactly, else in upper or lower case. */
function containerAt(root: Container | null, path: readonly string[]): Container | null {
  let at = root;
  for (const name of path) {
    const members: readonly Member[] = at?.members ?? [];
    const exact = members.find((member) => member.name === name);
    at = (exact ?? members.find((member) => plain(member.name) === plain(name)))?.container ?? null;
  }
  return at;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The name of the setting for the place of the records. */
function settingOf({ resource }: EnvelopeOptions): string {
  return `resources.${resource.name}.items`;
}

function unknown(
  options: EnvelopeOptions,
  what: string,
  may: { readonly list?: string | undefined; readonly map?: string | undefined } = {},
): ListingError {
  const { body, resource } = options;
  const setting = settingOf(options);
  const cures: readonly Cure[] | undefined =
    may.list !== undefined
      ? [{ setting, choices: [may.list], when: 'the records are there', isLikely: true }, elsewhere(setting)]
      : may.map !== undefined
        ? [
            { setting, choices: [may.map], when: 'its members are the records', isLikely: true },
            elsewhere(setting),
          ]
        : undefined;
  const about = { resource: resource.name, ...(cures && { cures }) };
  return new ListingError('ENVELOPE_UNKNOWN', `${what} (seen: ${seenIn(body.scan)})`, about);
}

function elsewhere(setting: string): Cure {
  return { setting, choices: [], open: 'where they are' };
}

function ambiguous(options: EnvelopeOptions, found: readonly Container[]): ListingError {
  const places = found.map(
    (container) => `${container.path.join('.')} (${container.kind} of ${container.children})`,
  );
  const choices = found.map(({ path, kind }) =>
    renderEnvelope({ path, form: kind === 'array' ? 'array' : 'map' }),
  );
  return new ListingError('ENVELOPE_AMBIGUOUS', `The records may be at ${places.join(' or ')}`, {
    resource: options.resource.name,
    cures: [{ setting: settingOf(options), choices: [...new Set(choices)] }],
  });
}
