import { isIgnored as isIgnoredPath } from '../beside/beside.ts';
import { isIdleList } from '../beside/idle-words.ts';
import type { Body } from '../body/body.ts';
import type { Container, Member } from '../body/scan.ts';
import { type Envelope, parseEnvelope, renderEnvelope } from '../dialect.ts';
import { ListingError } from '../listing-error.ts';
import { ambiguousEnvelope, itemsSetting, type MayBe, unknownEnvelope } from './envelope-error.ts';
import { hasId, oneOfList, saysNothing, sharedKeys } from './few-records.ts';
import { isLikeMap, keysOfMap, NO_RECORD_KEYS } from './keyed-map.ts';
import { groupsIn, type Level, levelIn } from './levels.ts';
import { containerAt, plainName as plain } from './member-at.ts';
import { placeBySetting } from './place-by-setting.ts';
import { shapeAt } from './place-of.ts';
import { emptyLists, listsOfObjects, sampleOf } from './record-lists.ts';
import type { EnvelopeOptions, Shape } from './shape.ts';
import { jsonTexts, rowsWithColumns } from './texts-and-rows.ts';

const KNOWN_KEYS = ['value', 'data', 'items', 'results', 'result', 'rows', 'records'];

/**
 * Where the records of an answer are. Throws ListingError: ENVELOPE_UNKNOWN or ENVELOPE_AMBIGUOUS if the answer does not
 * decide it, SHAPE_CHANGED if the shape is not the locked one and the evidence for it is weaker.
 * @see docs/answers.md, "Envelope"
 */
export function findRecords(options: EnvelopeOptions): Shape {
  const { body, setting, lock } = options;
  if (setting !== undefined) return placeBySetting(options, setting);
  const locked = lock === undefined ? null : parseEnvelope(lock.envelope);
  if (locked?.form === 'map') {
    const container = containerAt(body.scan.container, locked.path);
    if (container !== null && isLikeMap(container, { keys: lock?.keys, read: body.read }))
      return shapeAt(locked, { ...options, container, keys: lock?.keys });
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
      cures: [
        { setting: itemsSetting(options), choices: [found.envelope], when: 'these are the same records' },
      ],
    },
  );
}

/** What the answer itself shows. If it has one record or none, what earlier answers or those of other parents show. */
function detectOr(options: EnvelopeOptions, locked: Envelope | null): Shape {
  try {
    return detect(options);
  } catch (error) {
    const isOpen = error instanceof ListingError && error.code === 'ENVELOPE_UNKNOWN';
    if (!isOpen || locked?.form !== 'array') throw error;
    const list = containerAt(options.body.scan.container, locked.path);
    if (list?.kind === 'array' && list.children === 0) return arrayAt(options, list);
    if (options.resource.parent === null) throw error;
    const one = oneOfList(options.body.scan, { path: locked.path, keys: options.lock?.keys ?? [] });
    if (one === null) {
      if (!saysNothing(options.body, options)) throw error;
      return { envelope: renderEnvelope(locked), place: null };
    }
    const { place } = shapeAt({ path: one.path, form: 'record' }, { ...options, container: one });
    return { envelope: renderEnvelope(locked), place };
  }
}

function detect(options: EnvelopeOptions): Shape {
  const { body, resource, ignore = [] } = options;
  const root = body.scan.container;
  if (root === null) throw unknownEnvelope(options, 'The answer is a single value', inTexts(body));
  if (body.scan.isLines)
    throw unknownEnvelope(options, 'The answer is no list, but one object behind the other', [
      { items: '$lines', when: 'each line is a record', isLikely: true },
    ]);
  if (root.kind === 'array') return arrayAt(options, root);
  const known = new Set([...KNOWN_KEYS, ...ownNames(options)].map(plain));
  const candidates = candidatesIn(root, known);
  const arrays = candidates.flatMap((member) =>
    arraysBelow(member, { known, oneRecord: resource.mayBeOneRecord }),
  );
  const [array, ...moreArrays] = arrays;
  if (array !== undefined) {
    if (moreArrays.length > 0) throw ambiguous(options, arrays);
    if (array.arrays > 0) return arrayAt(options, array);
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
  if (keys !== null)
    return shapeAt({ path: object.path, form: 'map' }, { ...options, container: object, keys });
  if (resource.mayBeOneRecord && object.children > 0 && !saysNull(candidates) && !isNotice(object)) {
    return shapeAt({ path: object.path, form: 'record' }, { ...options, container: object });
  }
  if (saysNull(candidates) && resource.parent !== null)
    return { envelope: nullEnvelope(candidates), place: null };
  const lists = listsOfObjects(root).filter((each) => !isIgnored(each, ignore));
  const [list, ...moreLists] = lists;
  const only = list !== undefined && moreLists.length === 0 ? list : undefined;
  const [empty, ...moreEmpty] = list === undefined ? emptyLists(root) : [];
  const way = only ?? (moreEmpty.length === 0 ? empty : undefined);
  if (way !== undefined && known.has(plain(way.path.at(-1) ?? '')) && isOnlyWay(root, way))
    return arrayAt(options, way);
  if (moreLists.length > 0) throw ambiguous(options, lists);
  if (areColumns(root))
    throw unknownEnvelope(
      options,
      'The answer has a list for each column, which cannot be read: ask who operates the server for a list of records',
    );
  throw unknownEnvelope(options, 'The answer has no list of records that is recognised', [
    ...(only === undefined ? elsewhere(options, object) : inLists(root, { only, options })),
    ...inTexts(body),
  ]);
}

/** Lists of values that are all as long: `{"Id": [1, 2], "Name": ["a", "b"]}`. */
function areColumns({ members, children }: Container): boolean {
  const lists = members.flatMap(({ container }) =>
    container?.kind === 'array' && container.objects + container.arrays === 0 ? [container.children] : [],
  );
  return lists.length > 1 && lists.length === children && new Set(lists).size === 1 && lists[0] !== 0;
}

/** The names that a listing's own records may stand under. */
function ownNames({ resource }: Pick<EnvelopeOptions, 'resource'>): readonly string[] {
  return [resource.listing, resource.name, `${resource.record}s`].map(plain);
}

/** Where the records of a list are that are not its entries; null where they are. */
function insteadOf(options: EnvelopeOptions, container: Container): Level | null {
  const entries = sampleOf(container, options.body);
  if (hasId(entries, options.id)) return null;
  const names = new Set(ownNames(options));
  return groupsIn(container, { entries, names }) ?? levelIn(container, entries);
}

/** An only list, and the lists beside it that are empty today. */
function inLists(
  root: Container,
  { only, options }: { only: Container; options: EnvelopeOptions },
): readonly MayBe[] {
  const level = insteadOf(options, only);
  const holder = containerAt(root, only.path.slice(0, -1)) ?? root;
  const empty = holder.members.filter(
    ({ container }) => container?.kind === 'array' && container.children === 0,
  );
  const items = renderEnvelope({ path: only.path, form: 'array' });
  return [
    { items: level?.items ?? items, when: 'the records are there', isLikely: true },
    ...(level === null ? [] : [{ items, when: 'the entries are the records' }]),
    ...(empty.length === 0
      ? []
      : [{ items: listsIn(holder.path), when: 'the lists beside it hold records too' }]),
  ];
}

/** The setting by which the records of all lists in an object are read. */
function listsIn(path: readonly string[]): string {
  return renderEnvelope({ path, form: 'map', each: { path: [], form: 'array' } });
}

/** Where no list of objects is: rows, a map of one entry, the one record. */
function elsewhere(options: EnvelopeOptions, object: Container): readonly MayBe[] {
  const { body, resource, others = [] } = options;
  const root = body.scan.container ?? object;
  const alike = emptyLists(root)
    .map(itemsOfList)
    .find((items) => others.includes(items));
  if (alike !== undefined)
    return [{ items: alike, when: 'they are where those of another listing are', isLikely: true }];
  const rows = rowsIn(root).flatMap((container) => rowsWithColumns(body, container));
  if (rows.length > 0) return asRows(rows);
  const maps = objectsIn(root).filter((each) => keysOfMap(each, body.read) !== null);
  const holder = maps.length === 1 ? (maps[0] ?? object) : object;
  const map = mapAt(holder);
  // One member alone may as well be a wrapper, and objects unlike each other stand around it: `{"Header": {…}, "Response": {…}}`.
  const isLikely = maps.length === 1 && holder.children > 1 && { isLikely: true as const };
  if (map !== undefined) return [{ items: map, when: 'its members are the records', ...isLikely }];
  const isRecord = object.members.some(({ container, kind }) => container === null && kind !== 'null');
  const record = renderEnvelope({ path: object.path, form: 'record' });
  return isRecord && resource.parent === null && !isNotice(object)
    ? [{ items: record, when: 'it is the one record' }]
    : [];
}

const itemsOfList = ({ path }: Container): string => renderEnvelope({ path, form: 'array' });

/** Lists of lists. */
function rowsIn({ kind, members }: Container): readonly Container[] {
  if (kind === 'array') return [];
  return members.flatMap(({ container }) => {
    if (container === null) return [];
    return container.arrays > 0 && container.arrays === container.children ? [container] : rowsIn(container);
  });
}

function asRows(rows: readonly string[]): readonly MayBe[] {
  return rows.map((items) => ({ items, when: 'the columns are named there', isLikely: true }));
}

function inTexts(body: Body): readonly MayBe[] {
  return jsonTexts(body).map((items) => ({ items, when: 'the text is the list', isLikely: true }));
}

function ambiguous(options: EnvelopeOptions, found: readonly Container[]): ListingError {
  const holders = new Set(found.map(({ path }) => JSON.stringify(path.slice(0, -1))));
  const [first] = found;
  const areLists = found.every(({ kind }) => kind === 'array');
  const all =
    areLists && holders.size === 1 && first !== undefined ? listsIn(first.path.slice(0, -1)) : undefined;
  return ambiguousEnvelope(options, found, all);
}

/** Whether nothing else on the way to a list may hold records: the objects around it hold no other object of objects. */
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
  const { body, lock, resource } = options;
  const items = renderEnvelope({ path: container.path, form: 'array' });
  if (container.objects !== container.children) {
    const odd = container.children - container.objects;
    const says = `${odd} of ${container.children} entries are no objects`;
    const groups = groupsIn(container, { entries: sampleOf(container, body), names: new Set() });
    if (groups !== null)
      throw unknownEnvelope(options, `In the list at ${items} ${groups.says}`, [
        { items: groups.items, when: 'the records are there', isLikely: true },
      ]);
    const areRows = container.arrays === container.children;
    if (areRows) throw unknownEnvelope(options, says, asRows(rowsWithColumns(body, container)));
    const isOpen = container.objects > 0 && container.arrays === 0;
    throw unknownEnvelope(
      options,
      says,
      isOpen ? [{ items, when: 'those that are null are no records' }] : [],
    );
  }
  const level = lock === undefined ? insteadOf(options, container) : null;
  if (level !== null)
    throw unknownEnvelope(options, `In the list at ${items} ${level.says}`, [
      { items: level.items, when: 'the records are there', isLikely: true },
      { items, when: 'the entries are the records' },
    ]);
  const isKnown = lock !== undefined || resource.parent === null || options.isShown === true;
  const keys = isKnown || container.children === 0 ? undefined : sharedKeys(sampleOf(container, body));
  return shapeAt({ path: container.path, form: 'array' }, { ...options, container, keys });
}
