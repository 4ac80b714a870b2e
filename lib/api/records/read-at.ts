import type { Container } from '../body/scan.ts';
import { wordsOf } from '../read/words.ts';
import {
  entriesOf,
  hasId,
  idIn,
  idOfRecords,
  isNumber,
  isObject,
  keysOfMap,
  sampleOf,
  sharedKeys,
  valuesOf,
} from './entries.ts';
import { type Envelope, renderEnvelope } from './items-path.ts';
import {
  columnNames,
  itemsCure,
  knownMembers,
  levelIn,
  likely,
  rowsWithColumns,
  unknownEnvelope,
} from './places.ts';
import { type EnvelopeOptions, noneAt, type Shape, shapeAt } from './shape.ts';
import { strayGuard } from './strays.ts';

/** A container, and its envelope in the setting or the lock. */
interface Wanted {
  readonly container: Container;
  readonly wanted?: Envelope;
}

/** Reads the container as the setting or the lock says; undefined if it has another form. */
export function readAt(options: EnvelopeOptions, { container, wanted }: Required<Wanted>): Shape | undefined {
  const { body, resource, lock, setting } = options;
  const { form, each } = wanted;
  const isSet = setting !== undefined;
  const isEmpty = container.children === 0;
  const place = { ...wanted, path: container.path, container };
  const isList = container.kind === 'array';
  if (each !== undefined && form === (isList ? 'array' : 'map')) return shapeAt(place, options);
  if (each !== undefined) return undefined;
  if (isList) {
    if (form === 'rows') return rowsAt(options, { container, wanted });
    // Some servers write a map without entries as a list without entries.
    if (form === 'map' && isSet && isEmpty) return noneAt(wanted);
    return ['array', 'map', 'values'].includes(form) ? listAt(options, { container, wanted }) : undefined;
  }
  if (form === 'record') return isSet ? shapeAt(place, options) : undefined;
  if (form === 'array' && isSet && resource.mayBeOneRecord)
    return shapeAt({ ...place, form: 'record' }, options);
  const isLike =
    (keysOfMap(container, { body, known: lock?.keys }) ?? keysOfMap(container, { body })) !== null;
  const isAll = container.objects === container.children;
  if (form === 'map') {
    const isGiven = isSet ? container.objects > 0 : lock?.keys === undefined && isAll;
    return isLike || isGiven || isEmpty ? mapAt(options, { container, wanted }) : undefined;
  }
  // An object with one known name is a new envelope.
  const isMap = form === 'array' && isLike && isAll && knownMembers(container, resource).length === 0;
  return isMap ? mapAt(options, { container, wanted }) : undefined;
}

/**
 * The records of a list: its entries, their content, or its texts and numbers. Throws ListingError where they
 * only may hold the records, or do not.
 */
export function listAt(options: EnvelopeOptions, { container, wanted }: Wanted): Shape {
  const { body, resource, lock, setting, id } = options;
  const { path, children, objects, arrays } = container;
  const list = { path, form: 'array' as const, container };
  if (children === 0) return shapeAt(list, options);
  const values = objects === children ? [] : valuesOf(container, body).filter((value) => value !== null);
  // Records with keys become no texts.
  if (
    lock?.keys === undefined &&
    objects + arrays === 0 &&
    values.length > 0 &&
    values.every((value) => /^(string|number)$/.test(typeof value))
  )
    return shapeAt({ path, form: 'values', container }, options);
  if (objects === 0 || !values.every(isObject))
    throw unknownEnvelope(
      options,
      `${children - objects} of ${children} entries are not objects`,
      rowsWithColumns(options, container),
    );
  const isKnown = resource.parent !== null && (lock !== undefined || options.shown?.() !== undefined);
  const records = isKnown && setting !== undefined && wanted?.form !== 'map' ? [] : sampleOf(container, body);
  // Behind a page an error alone is no page. An error among records fails the listing, when these are read.
  if (children === 1) strayGuard(options, (lock ?? options.shown?.())?.keys)(records);
  const keys = isKnown ? undefined : sharedKeys(records);
  const each = setting === undefined ? unwrapped(records, id) : undefined;
  const level =
    each === undefined && setting === undefined && lock === undefined ? levelIn(options, records) : undefined;
  if (level === undefined) return shapeAt({ ...list, ...(each && { each }) }, { resource, keys });
  const items = renderEnvelope(list);
  throw unknownEnvelope(options, `Each entry of the list at ${items} only holds ${level.path.join('.')}`, [
    likely(options, renderEnvelope({ ...list, each: level })),
    { ...itemsCure(options, [items]), when: 'the entries are the records' },
  ]);
}

/** What holds a record's own members: in JSON:API, in HubSpot, in Airtable, in CouchDB, in Elasticsearch. */
const HOLDS = ['attributes', 'properties', 'fields', 'doc', '_source'];
/** Words of the members next to it. */
const AROUND = new Set(
  'type id lid relationships links meta created updated time at archived associations key value rev index score sort highlight'.split(
    ' ',
  ),
);
/** The members of an entry in a GraphQL connection. */
const OF_EDGE = new Set(['node', 'cursor', '__typename']);

/** What all entries hold as records by convention: `attributes` next to `id`, or `node` next to `cursor`. */
function unwrapped(entries: readonly object[], id: string | undefined): Envelope | undefined {
  const holdAll = (name: string, isKnown: (key: string) => boolean): boolean =>
    entries.every((entry) => {
      const others = Object.keys(entry).filter((key) => key !== name);
      return others.every(isKnown) && isObject(Reflect.get(entry, name));
    });
  if (entries.length === 0 || (id?.includes('.') && hasId(entries, id))) return undefined;
  const isAround = (key: string): boolean => wordsOf(key).every((word) => AROUND.has(word));
  const holder = HOLDS.find((name) => holdAll(name, isAround));
  if (
    holder !== undefined &&
    entries.every((entry) => (idIn(entry, 'id') ?? idIn(entry, '_id')) !== undefined)
  )
    return { path: [holder], form: 'record', isMerged: true };
  const isEdge = holdAll('node', (key) => OF_EDGE.has(key)) && !hasId(entries, id);
  return isEdge ? { path: ['node'], form: 'record' } : undefined;
}

/**
 * The records of a map. It is read as a list where its keys are numbers, as PHP and Firebase write one with gaps. If
 * the setting or the lock calls it a map, each record has its key as `$key`.
 */
export function mapAt(options: EnvelopeOptions, { container, wanted }: Wanted): Shape {
  const { body, resource, lock } = options;
  const { path } = container;
  const keys = keysOfMap(container, { body }) ?? lock?.keys;
  const entries = entriesOf(container, body).filter(([, value]) => isObject(value));
  const records = entries.map(([, value]) => Object(value));
  const isList =
    wanted?.form === 'array' || (wanted === undefined && idOfRecords(records, options) !== undefined);
  const isListed = isList && entries.length > 0 && entries.every(([key]) => isNumber(key));
  return shapeAt(
    { path, form: 'map', container, isListed },
    { resource, keys, envelope: { path, form: isListed ? 'array' : 'map' } },
  );
}

function rowsAt(options: EnvelopeOptions, { container, wanted }: Required<Wanted>): Shape {
  const { names = [] } = wanted;
  const place = { ...wanted, path: container.path, container };
  if (container.children === 0) return shapeAt(place, options);
  const columns = columnNames(options.body, names);
  if (columns !== undefined) return shapeAt({ ...place, columns }, options);
  throw unknownEnvelope(options, `The columns of the rows have no names at ${names.join('.')}`);
}
