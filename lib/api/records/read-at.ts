import type { Body } from '../body/body.ts';
import { isListText, isObjectText, partsOf, textOf } from '../body/parse.ts';
import type { Container } from '../body/scan.ts';
import {
  type Entry,
  entriesOf,
  hasId,
  idIn,
  idOfRecords,
  isNumber,
  isObject,
  isUnlike,
  jsonOf,
  keysOfMap,
  sampleOf,
  sharedKeys,
  valuesOf,
} from './entries.ts';
import { type Envelope, renderEnvelope } from './items-path.ts';
import { columnNames, knownMembers, levelIn, likely, rowsWithColumns, unknownEnvelope } from './places.ts';
import { type EnvelopeOptions, noneAt, type Shape, shapeAt } from './shape.ts';

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
  if (each !== undefined && form === (isList ? 'array' : 'map'))
    return shapeAt({ ...place, ...besideLists(container, { body, each }) }, options);
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
  if (
    objects + arrays === 0 &&
    values.length > 0 &&
    values.every((value) => /^(string|number)$/.test(typeof value))
  )
    return shapeAt({ path, form: 'values', container }, options);
  if (objects === 0 || !values.every(isObject))
    throw unknownEnvelope(options, `${children - objects} of ${children} entries are not objects`, {
      may: rowsWithColumns(body, container),
    });
  const isKnown = resource.parent !== null && (lock !== undefined || options.isShown === true);
  const records = isKnown && setting !== undefined && wanted?.form !== 'map' ? [] : sampleOf(container, body);
  const keys = isKnown ? undefined : sharedKeys(records);
  if (wanted?.form === 'map') {
    const isNumbered = idOfRecords(records, options) === undefined;
    return shapeAt({ ...list, isNumbered }, { resource, keys, envelope: { ...wanted, path } });
  }
  const each = setting === undefined ? unwrapped(records, id) : undefined;
  const level =
    each === undefined && setting === undefined && lock === undefined ? levelIn(options, records) : undefined;
  if (level === undefined) return shapeAt({ ...list, ...(each && { each }) }, { resource, keys });
  const items = renderEnvelope(list);
  throw unknownEnvelope(options, `Each entry of the list at ${items} only holds ${level.path.join('.')}`, {
    may: [likely(renderEnvelope({ ...list, each: level })), { items, when: 'the entries are the records' }],
  });
}

/** The members of an entry in JSON:API, and in a GraphQL connection. */
const OF_JSON_API = new Set(['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']);
const OF_EDGE = new Set(['node', 'cursor', '__typename']);

/** What all entries hold as records by convention: `attributes` next to `id`, or `node` next to `cursor`. */
function unwrapped(entries: readonly object[], id: string | undefined): Envelope | undefined {
  const holdAll = (name: string, known: ReadonlySet<string>): boolean =>
    entries.every((entry) => {
      const isKnown = Object.keys(entry).every((key) => known.has(key));
      return isKnown && isObject(Reflect.get(entry, name));
    });
  if (entries.length === 0 || (id?.includes('.') && hasId(entries, id))) return undefined;
  if (holdAll('attributes', OF_JSON_API) && entries.every((entry) => idIn(entry, 'id') !== undefined))
    return { path: ['attributes'], form: 'record', isMerged: true };
  return holdAll('node', OF_EDGE) && !hasId(entries, id) ? { path: ['node'], form: 'record' } : undefined;
}

/**
 * The records of a map. It is read as a list where its keys are numbers or the ids of the records. If the
 * setting or the lock calls it a map, each record has its key as `$key`.
 */
export function mapAt(options: EnvelopeOptions, { container, wanted }: Wanted): Shape {
  const { body, resource, lock } = options;
  const { path } = container;
  const keys = keysOfMap(container, { body }) ?? lock?.keys;
  const entries = entriesOf(container, body).filter(
    ([, value]) => isObject(value) && !isUnlike(value, keys ?? []),
  );
  const records = entries.map(([, value]) => Object(value));
  const id = idOfRecords(records, options);
  const saysNothing = ([key, value]: Entry): boolean =>
    isNumber(key)
      ? wanted?.form === 'array' || id !== undefined
      : id !== undefined && idIn(Object(value), id) === key;
  const isListed = wanted?.form !== 'map' && entries.length > 0 && entries.every(saysNothing);
  const listed = isListed ? { listed: id === undefined ? {} : { id } } : {};
  const rest = besideEntries(container, { body, keys: keys ?? [] });
  return shapeAt(
    { path, form: 'map', container, ...(keys && { keys }), ...rest, ...listed },
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

type Members = Readonly<Record<string, unknown>>;

/** A map's entries that are not objects, or unlike its records. Reads only its ends: see `recordTexts`. */
function besideEntries(
  { first, cuts }: Container,
  { body, keys }: { readonly body: Body; readonly keys: readonly string[] },
): { readonly rest?: Members } {
  const [begin, end] = cuts.slice(-2);
  const ends = [textBetween(body, { from: first, to: cuts[0]?.at })];
  if (end !== undefined) ends.push(textBetween(body, { from: begin?.at, to: end.at }));
  const rest = ends
    .flatMap((text) => [...partsOf(`{${text}}`)])
    .filter(({ text }) => !isObjectText(text) || isUnlike(Object(jsonOf(text)), keys));
  return rest.length === 0 ? {} : { rest: membersOf(rest) };
}

/** The members next to a list in an entry. Where several entries have lists, these members may identify the entries, so
 * they are left out. */
function besideLists(
  { kind, first, cuts, children }: Container,
  { body, each }: { readonly body: Body; readonly each: Envelope },
): { readonly rest?: Members } {
  if (each.form !== 'array' || children !== 1) return {};
  const text = textBetween(body, { from: first, to: cuts.at(-1)?.at });
  const [entry] = partsOf(kind === 'object' ? `{${text}}` : `[${text}]`);
  return { rest: { 0: without(entry?.text ?? '', each.path) } };
}

/** An object without the list at this path of names. */
function without(text: string, [name, ...below]: readonly string[]): Members {
  const parts = [...partsOf(text)];
  const own = parts.find(({ key }) => jsonOf(key ?? '') === name);
  const others = membersOf(parts.filter((part) => part !== own));
  if (own === undefined || name === undefined || isListText(own.text) || own.text === 'null') return others;
  return { ...others, [name]: below.length > 0 ? without(own.text, below) : jsonOf(own.text) };
}

function membersOf(parts: readonly { readonly key: string | null; readonly text: string }[]): Members {
  return Object.fromEntries(
    parts.map(({ key, text }, index) => [key === null ? index : jsonOf(key), jsonOf(text)]),
  );
}

function textBetween(
  body: Body,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): string {
  return from === undefined || to === undefined ? '' : textOf(body.read(from, to));
}
