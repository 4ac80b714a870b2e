import type { Cure } from '../../sources/question.ts';
import type { Body } from '../body/body.ts';
import type { Container } from '../body/scan.ts';
import { areAlike, areAmong, idNames, isStatusKey, keysOfMap, sampleOf, sharedKeys } from './entries.ts';
import { fewRecords, saysNone, somethingIn } from './few-records.ts';
import { containerAt, type Envelope, parseEnvelope, plainName } from './items-path.ts';
import {
  ambiguousEnvelope,
  conventionalLists,
  hasValues,
  holdersIn,
  isKnownList,
  knownMembers,
  ownNames,
  placesElsewhere,
  unknownEnvelope,
} from './places.ts';
import { listAt, mapAt, readAt } from './read-at.ts';
import { type EnvelopeOptions, noneAt, type Shape, shapeAt } from './shape.ts';
import { recordsAt } from './slices.ts';

/**
 * Finds the records of an answer: where the setting says, where they were before, or where a convention has
 * them. Else it takes the only list of objects, or a map. Throws ListingError ENVELOPE_UNKNOWN or
 * ENVELOPE_AMBIGUOUS if the answer does not decide it.
 * @see docs/understand/answers.md, "Envelope"
 */
export function findRecords(options: EnvelopeOptions): Shape {
  const { lock, setting } = options;
  if (setting !== undefined) return placeBySetting(options, setting);
  const locked = lock === undefined ? null : parseEnvelope(lock.envelope);
  if (lock === undefined || locked === null) return detect(options);
  return byLock(options, locked) ?? fewRecords(options, locked) ?? detect(options);
}

/** The records in their former place; undefined where they moved, also to a list next to an empty one. */
function byLock(options: EnvelopeOptions, wanted: Envelope): Shape | undefined {
  const { container: root } = options.body.scan;
  const container = containerAt(root, wanted.path);
  if (root === null || container === null) return undefined;
  const isFull = ({ kind, children }: Container): boolean => kind === 'array' && children > 0;
  if (container.children === 0 && holdersIn(root, options.ignore).some(isFull)) return undefined;
  return readAt(options, { container, wanted });
}

/** The place that the answer itself shows. */
function detect(options: EnvelopeOptions): Shape {
  const { body, resource } = options;
  const { container: root } = body.scan;
  if (resource.parent !== null && isNone(body)) return noneAt({ path: [], form: 'array' });
  if (root === null) throw unknownEnvelope(options, 'The answer is a single value');
  if (root.kind === 'array') return listAt(options, { container: root });
  if (leavesListOut(root, options)) return noneAt({ path: [], form: 'array' });
  const lists = conventionalLists(root, resource);
  const [container] = lists;
  if (container === undefined) return inObject(options, root);
  const isOther = (other: Container): boolean => {
    if (other.kind === 'object') return container.children === 0 && keysOfMap(other, { body }) !== null;
    return other.children > 0 && !lists.includes(other) && isRival(options, { container, other });
  };
  const others = holdersIn(root, options.ignore).filter(isOther);
  if (lists.length + others.length > 1) throw ambiguousEnvelope(options, [...lists, ...others]);
  return listAt(options, { container });
}

/**
 * True where another list may hold the records: one below the listing's own name, or of objects like these. Other
 * objects are none (API Platform describes its search next to `hydra:member`), nor are some of the records (`featured`).
 */
function isRival(
  options: EnvelopeOptions,
  { container, other }: { readonly container: Container; readonly other: Container },
): boolean {
  const { body, resource } = options;
  const isOwn = ownNames(resource).includes(plainName(other.path.at(-1) ?? ''));
  if (!isOwn && container.children === 0) return !saysNone({ ...options, ignore: other.path.slice(0, 1) });
  if (!isOwn && !areAlike(sharedKeys(sampleOf(container, body)), sharedKeys(sampleOf(other, body))))
    return false;
  const [all, some] = [container, other].map((list) =>
    recordsAt(body, { path: list.path, form: 'array', container: list, resource: resource.name }),
  );
  return !areAmong([...(some ?? [])].flat(), { records: all ?? [], resource });
}

/**
 * Some servers leave an empty list out. Of HAL only links remain, and what is about pages. Of Google's JSON `{}`
 * remains, which is no answer where records were before.
 */
function leavesListOut({ members, children }: Container, options: EnvelopeOptions): boolean {
  if (children === 0) return options.lock === undefined;
  return members.some(({ name }) => name === '_links') && somethingIn(options).length === 0;
}

/** `null`, `false`, `""` and `{}` mean that a parent has none. */
function isNone({ scan: { container }, json }: Body): boolean {
  if (container === null) return json === null || json === false || json === '';
  return container.kind === 'object' && container.children === 0;
}

/** The records of an object without a list under a known name: a map, one record, none, or the only list. */
function inObject(options: EnvelopeOptions, root: Container): Shape {
  const { body, resource, ignore } = options;
  const known = knownMembers(root, resource);
  const objects = known.flatMap(({ container }) => container ?? []);
  if (objects.length > 1) throw ambiguousEnvelope(options, objects);
  const [container = root] = objects;
  const { path } = container;
  const isNull = known.length === 1 && known[0]?.kind === 'null';
  if (keysOfMap(container, { body }) !== null) return mapAt(options, { container });
  const isRecord =
    hasValues(container) && !isNull && !container.members.some(({ name }) => isStatusKey(name));
  const holders = holdersIn(root, ignore);
  const full = holders.filter(({ kind, children }) => kind === 'array' && children > 0);
  if (resource.mayBeOneRecord && isRecord) return shapeAt({ path, form: 'record', container }, options);
  if (isNull && resource.parent !== null) return noneAt({ path: [known[0]?.name ?? ''], form: 'array' });
  const only = onlyList(options, holders);
  if (only !== undefined) return listAt(options, { container: only });
  if (full.length > 1) throw ambiguousEnvelope(options, full);
  const elsewhere = placesElsewhere(options);
  const may = elsewhere.length > 0 || options.lock === undefined ? elsewhere : curesOfFew(options, null);
  throw unknownEnvelope(options, 'The answer has no list of records that is recognised', may);
}

/** The only list of an answer if no id is next to it. An empty one needs a total of 0, or a known name and no map elsewhere. */
function onlyList(options: EnvelopeOptions, holders: readonly Container[]): Container | undefined {
  const { body, resource } = options;
  const [list, another] = holders.filter(({ kind }) => kind === 'array');
  if (list === undefined || another !== undefined) return undefined;
  const isMap = (each: Container): boolean => keysOfMap(each, { body }) !== null;
  if (list.children === 0)
    return saysNone(options) || (isKnownList(list, resource) && !holders.some(isMap)) ? list : undefined;
  const around = list.path.map((_, depth) => containerAt(body.scan.container, list.path.slice(0, depth)));
  const members = around.flatMap((object) => object?.members ?? []);
  const names = members.flatMap(({ name, text }) => (text === null ? [] : name));
  return idNames(names, resource).length === 0 ? list : undefined;
}

/** The place in the setting `items`. Throws ListingError ENVELOPE_UNKNOWN where the records are not there. */
function placeBySetting(options: EnvelopeOptions, setting: string): Shape {
  const { container: root } = options.body.scan;
  const wanted = parseEnvelope(setting);
  const refuse = (why: string, others: readonly Cure[] = []) =>
    unknownEnvelope(options, `The setting items is ${JSON.stringify(setting)}, ${why}`, others);
  if (wanted === null) throw refuse('which is no path');
  const container = containerAt(root, wanted.path);
  const found = container === null ? undefined : readAt(options, { container, wanted });
  const shape = found ?? fewRecords(options, wanted);
  if (shape !== undefined) return shape;
  const there = container === null ? 'nothing is there' : `an ${container.kind} is there`;
  throw refuse(`but ${there}`, curesOfFew(options, container));
}

/** The settings that help where a parent has one child, or none, and nothing else proves it. */
function curesOfFew(options: EnvelopeOptions, there: Container | null): readonly Cure[] {
  const setting = `resources.${options.resource.name}`;
  if (options.resource.parent === null || there?.kind === 'array') return [];
  if (there !== null)
    return [{ setting: `${setting}.id`, choices: [], open: 'a field of that object', when: ONE }];
  const names = somethingIn(options);
  return names.includes('$') ? [] : [{ setting: `${setting}.ignore`, choices: [[...names]], when: NONE }];
}

const NONE = 'these members are no records, and this parent has none';
const ONE = 'it is the one record of its parent';
