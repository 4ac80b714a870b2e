import type { Cure } from '../../sources/question.ts';
import type { Body } from '../body/body.ts';
import { isListText } from '../body/json-parts.ts';
import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';
import { type Envelope, parseEnvelope, renderEnvelope } from '../dialect.ts';
import { unknownEnvelope } from './envelope-error.ts';
import {
  declaresNone,
  givesReason,
  hasId,
  isNothingAt,
  oneOfList,
  saysNothing,
  sharedKeys,
  somethingIn,
} from './few-records.ts';
import { keysOfMap } from './keyed-map.ts';
import { containerAt, memberAt } from './member-at.ts';
import { shapeAt, without } from './place-of.ts';
import { sampleOf } from './record-lists.ts';
import type { EnvelopeOptions, Shape } from './shape.ts';
import { columnNames, jsonTextAt } from './texts-and-rows.ts';

/** Where the setting `items` says that the records are. Throws ListingError ENVELOPE_UNKNOWN where they are not. */
export function placeBySetting(options: EnvelopeOptions, setting: string): Shape {
  const { body, resource } = options;
  const wanted = parseEnvelope(setting);
  const says = `The setting items is ${JSON.stringify(setting)}`;
  if (wanted === null) throw unknownEnvelope(options, `${says}, which is no path`);
  if (wanted.form === 'text') return textAt(options, wanted, says);
  const container = containerAt(body.scan.container, wanted.path);
  if (wanted.form === 'lines' && container !== null) return linesAt(options, container, says);
  const found = container === null ? undefined : inContainer(options, wanted, container);
  if (found !== undefined) return found;
  const few = resource.parent === null ? noneAt(options, wanted) : fewAt(options, wanted);
  if (few !== undefined) return few;
  const there = container === null ? 'nothing is there' : `an ${container.kind} is there`;
  throw unknownEnvelope(options, `${says}, but ${there}`, [], curesOfFew(options, container));
}

/** The shape where the container is what the setting says; undefined where it is something else. */
function inContainer(options: EnvelopeOptions, wanted: Envelope, container: Container): Shape | undefined {
  const { body, resource, lock } = options;
  const { form, each } = wanted;
  const at = { body, resource, container };
  const here = { ...wanted, path: container.path };
  if (container.kind === 'array') {
    if (form === 'rows') return rowsAt(options, wanted, container);
    if (form === 'array' && each !== undefined) return shapeAt(here, at);
    // Some servers write a map without entries as a list without entries.
    if (form === 'map' && container.children === 0) return { envelope: renderEnvelope(wanted), place: null };
    if (form !== 'array') return undefined;
    // Entries that are null say nothing; what is neither null nor an object is found when the records are read.
    if (container.children > 0 && container.objects === 0)
      throw unknownEnvelope(options, `${container.children} of ${container.children} entries are no objects`);
    const isKnown = lock !== undefined || resource.parent === null || container.children === 0;
    return shapeAt(here, { ...at, keys: isKnown ? undefined : sharedKeys(sampleOf(container, body)) });
  }
  const hasEntries = container.objects > 0 || container.children === 0 || each !== undefined;
  if (form === 'map') {
    // A last page may have one record and what stands beside it: only the pages before tell them apart.
    const keys =
      keysOfMap(container, body.read) ?? (lock?.envelope === renderEnvelope(here) ? lock.keys : undefined);
    return hasEntries ? shapeAt(here, { ...at, keys }) : undefined;
  }
  if (form === 'record') return shapeAt(here, at);
  return form === 'array' && each === undefined && resource.mayBeOneRecord
    ? shapeAt({ ...here, form: 'record' }, at)
    : undefined;
}

/** A listing without parent that leaves its list out has to say that it has no records. */
function noneAt({ body }: EnvelopeOptions, wanted: Envelope): Shape | undefined {
  return declaresNone(body) ? { envelope: renderEnvelope(wanted), place: null } : undefined;
}

/** A parent without children, or with one: what the settings and other parents' answers prove, and what says nothing. */
function fewAt(options: EnvelopeOptions, wanted: Envelope): Shape | undefined {
  const { body, resource, lock } = options;
  const none = { envelope: renderEnvelope(wanted), place: null };
  const member = memberAt(body.scan.container, wanted.path);
  // A server in trouble may give `false` in place of a list, and never an empty list.
  const isEmptyList = member !== null && (member.container !== null || member.kind === 'null');
  if (member !== null && isNothingAt(member) && (isEmptyList || !givesReason(body, options))) return none;
  const one =
    oneOfList(body.scan, { path: wanted.path, keys: lock?.keys ?? [] }) ?? recordWithId(options, wanted);
  if (one !== null && wanted.form === 'array') {
    const { place } = shapeAt({ path: one.path, form: 'record' }, { body, resource, container: one });
    return { ...none, place };
  }
  return saysNothing(body, options) ? none : undefined;
}

/** The object in place of the list, if the setting `id` names a field of it. */
function recordWithId({ body, id }: EnvelopeOptions, { path }: Envelope): Container | null {
  const object = containerAt(body.scan.container, path);
  return object?.kind === 'object' && hasId([recordIn(object, body)], id) ? object : null;
}

/** What is no JSON has no field; it is found when its records are taken apart. */
function recordIn({ from, to }: Container, body: Body): object {
  try {
    return Object(JSON.parse(textOf(body.read(from, to))));
  } catch {
    return {};
  }
}

/** The settings that help where a parent has one child, or none, and nothing else proves it. */
function curesOfFew(options: EnvelopeOptions, there: Container | null): readonly Cure[] {
  const { body, resource } = options;
  if (resource.parent === null) return [];
  if (there === null) {
    const names = somethingIn(body, options);
    const isReason = names.includes('$');
    return isReason
      ? []
      : [{ setting: `resources.${resource.name}.ignore`, choices: [[...names]], when: NONE }];
  }
  if (there.kind === 'array') return [];
  return [
    { setting: `resources.${resource.name}.id`, choices: [], open: 'a field of that object', when: ONE },
  ];
}

const NONE = 'they say nothing of the records, and such a parent has none';
const ONE = 'it is the one record of its parent';

function rowsAt(options: EnvelopeOptions, wanted: Envelope, container: Container): Shape {
  if (container.children === 0)
    return shapeAt({ ...wanted, path: container.path }, { ...options, container });
  const columns = columnNames(options.body, { container, names: wanted.names ?? [] });
  if (columns === undefined)
    throw unknownEnvelope(
      options,
      `The columns of the rows have no names at ${wanted.names?.join('.') || 'their first row'}`,
    );
  const shape = shapeAt({ ...wanted, path: container.path }, { ...options, container });
  return { ...shape, place: shape.place && { ...shape.place, columns } };
}

function linesAt(options: EnvelopeOptions, container: Container, says: string): Shape {
  if (options.body.scan.isLines) return shapeAt({ path: [], form: 'lines' }, { ...options, container });
  if (container.kind === 'object')
    return { ...shapeAt({ path: [], form: 'record' }, { ...options, container }), envelope: '$lines' };
  throw unknownEnvelope(options, `${says}, but an array is there`);
}

function textAt(options: EnvelopeOptions, wanted: Envelope, says: string): Shape {
  const { body, resource } = options;
  const text = jsonTextAt(body, wanted);
  if (text === undefined || (wanted.each === undefined && !isListText(text)))
    throw unknownEnvelope(options, `${says}, but no text is there that is a list as JSON`);
  const container = body.scan.container ?? wholeOf(body);
  const rest = wanted.each && without(text.slice(1, -1), wanted.each.path);
  const place = { ...wanted, container, resource: resource.name, text, ...(rest && { rest }) };
  return { envelope: renderEnvelope(wanted), place };
}

/** A body that is one text. */
function wholeOf(body: Body): Container {
  const all = { from: 0, to: body.bytes, first: 0, children: 1, objects: 0, arrays: 0, colons: 0 };
  return { ...all, path: [], kind: 'array', cuts: [], members: [] };
}
