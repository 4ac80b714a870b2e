import type { Cure } from '../../sources/question.ts';
import type { Container, Member, Scan } from '../body/scan.ts';
import { ListingError } from '../codes.ts';
import { holdersIn, ownNames } from './conventions.ts';
import { hasId, idNames, isObject, isStatusKey, keysOfMap, valuesOf } from './entries.ts';
import { isAsideName, saysNone } from './few-records.ts';
import { containerAt, type Envelope, plainName, renderEnvelope } from './items-path.ts';
import type { EnvelopeOptions } from './shape.ts';
import { jsonTexts, rowsIn, rowsWithColumns } from './texts-and-rows.ts';

type About = Pick<EnvelopeOptions, 'body' | 'resource'>;

/** A possible place, as the setting `items` says it, and when it is right. */
export interface MayBe {
  readonly items: string;
  readonly when: string;
  /** A wrong choice would lose nothing. */
  readonly isLikely?: true;
}

/** A likely place. */
export const likely = (items: string, when = 'the records are there'): MayBe => ({
  items,
  when,
  isLikely: true,
});

/** The setting for the place of the records. */
export function itemsSetting({ resource }: Pick<About, 'resource'>): string {
  return `resources.${resource.name}.items`;
}

/** The setting by which the records of all lists in an object are read. */
function allListsIn(path: readonly string[]): string {
  return renderEnvelope({ path, form: 'map', each: { path: [], form: 'array' } });
}

/**
 * The error where the records cannot be found. `may` names the possible places, the likeliest first, and
 * `others` the other settings that may help.
 */
export function unknownEnvelope(
  about: About,
  what: string,
  { may = [], others = [] }: { readonly may?: readonly MayBe[]; readonly others?: readonly Cure[] } = {},
): ListingError {
  const setting = itemsSetting(about);
  const cures: readonly Cure[] = [
    ...may.map(({ items, ...cure }) => ({ setting, choices: [items], ...cure })),
    ...others,
    { setting, choices: [], open: 'where they are' },
  ];
  return new ListingError('ENVELOPE_UNKNOWN', `${what} (seen: ${seenIn(about.body.scan)})`, {
    resource: about.resource.name,
    ...(cures.length > 1 && { cures }),
  });
}

/** The error where several places may hold the records. Neighbouring lists can be read together. */
export function ambiguousEnvelope(about: About, found: readonly Container[]): ListingError {
  const places = found.map(({ path, kind, children }) => `${path.join('.')} (${kind} of ${children})`);
  const choices = found.map(({ path, kind }) =>
    renderEnvelope({ path, form: kind === 'array' ? 'array' : 'map' }),
  );
  const setting = itemsSetting(about);
  const cures: Cure[] = [{ setting, choices: [...new Set(choices)] }];
  const [all = '', ...others] = found.map(({ path }) => allListsIn(path.slice(0, -1)));
  if (others.every((other) => other === all) && found.every(({ kind }) => kind === 'array'))
    cures.push({ setting, choices: [all], when: 'you want the records of all of them' });
  const says = `The records may be at ${places.join(' or ')}`;
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

const itemsOf = ({ path }: Container): string => renderEnvelope({ path, form: 'array' });

/** True for the only list of an answer if no id is next to it. An empty list needs a total of 0 next to it. */
export function isTheRecords(options: EnvelopeOptions, list: Container): boolean {
  if (list.children === 0) return saysNone(options);
  const { body, resource } = options;
  const around = list.path.map((_, depth) => containerAt(body.scan.container, list.path.slice(0, depth)));
  const members = around.flatMap((object) => object?.members ?? []);
  const names = members.flatMap(({ name, text }) => (text === null ? [] : name));
  return idNames(names, resource).length === 0;
}

/** The possible places where no convention has the records. */
export function placesElsewhere(options: EnvelopeOptions, object: Container): readonly MayBe[] {
  const { body, resource, others = [], ignore } = options;
  const root = body.scan.container ?? object;
  const holders = holdersIn(root, ignore);
  const lists = holders.filter(({ kind }) => kind === 'array');
  const [only] = lists.filter(({ children }) => children > 0);
  if (only !== undefined) {
    const all = allListsIn(only.path.slice(0, -1));
    const isBeside = lists.some((list) => list !== only && allListsIn(list.path.slice(0, -1)) === all);
    return [
      likely(itemsOf(only)),
      ...(isBeside ? [{ items: all, when: 'the lists next to it hold records too' }] : []),
    ];
  }
  const alike = lists.map(itemsOf).find((items) => others.includes(items));
  if (alike !== undefined) return [likely(alike, 'another listing has its records there')];
  const texts = jsonTexts(body).map((items) => likely(items, 'the text is the list'));
  const rows = rowsIn(root).flatMap((container) => rowsWithColumns(body, container));
  if (rows.length > 0) return rows.map((items) => likely(items, 'the columns are named there'));
  const maps = holders.filter((each) => keysOfMap(each, { body }) !== null);
  const [holder = object] = maps.length === 1 ? maps : [];
  if (holder.objects === holder.children) {
    const map = likely(renderEnvelope({ path: holder.path, form: 'map' }), 'its members are the records');
    const { isLikely: _, ...unlikely } = map;
    return [maps.length === 1 && holder.children > 1 ? map : unlikely, ...texts];
  }
  const isRecord = object.members.some(({ container, kind }) => container === null && kind !== 'null');
  if (!isRecord || resource.parent !== null || object.members.some(({ name }) => isStatusKey(name)))
    return texts;
  return [
    { items: renderEnvelope({ path: object.path, form: 'record' }), when: 'it is the one record' },
    ...texts,
  ];
}

/** The content of a list's entries in place of records, as the end of a sentence, and its place. */
interface Level {
  readonly says: string;
  readonly each: Envelope;
}

/**
 * What all entries hold: a list under the listing's own name (`regions[].players`) or without a name next to
 * it (`[{"screens": […]}]`), or a record (`[{"Player": {…}}]`). Undefined where they are the records.
 */
export function levelIn({ resource, id }: EnvelopeOptions, entries: readonly object[]): Level | undefined {
  if (hasId(entries, id)) return undefined;
  for (const [name, first] of Object.entries(entries[0] ?? {})) {
    if (typeof first !== 'object') continue;
    const values = entries.map((entry): unknown => Reflect.get(entry, name));
    const isList = values.every((value) => isListOf(value) || value === null);
    const isOwn = isList && ownNames(resource).includes(plainName(name));
    if (isOwn)
      return {
        says: `each entry holds a list under the listing's own name, ${name}`,
        each: { path: [name], form: 'array' },
      };
    const isRecord = values.every(holdsValues);
    if (!isList && !isRecord) continue;
    const others = entries.flatMap((entry) => Object.entries(entry).filter(([each]) => each !== name));
    const isAlone = others.every(([each, value]) => isEmpty(value) || isAsideName(each));
    const namesNothing = others.every(([each, value]) => typeof value === 'object' || isAsideName(each));
    if (isList && namesNothing && (isAlone || !values.every(isEmpty)))
      return {
        says: 'each entry holds a list, and no value that identifies the entry',
        each: { path: [name], form: 'array' },
      };
    if (isAlone && isRecord)
      return { says: 'each entry is a wrapper around one record', each: { path: [name], form: 'record' } };
  }
  return undefined;
}

/** The possible meanings of a list without objects, as `levelIn` has them for one with objects. */
export function placesInOdd({ body }: EnvelopeOptions, list: Container): readonly MayBe[] {
  if (valuesOf(list, body).some((value) => isListOf(value) && value.length > 0))
    return [likely(renderEnvelope({ path: list.path, form: 'array', each: { path: [], form: 'array' } }))];
  const rows = list.arrays === list.children ? rowsWithColumns(body, list) : [];
  return rows.map((items) => likely(items, 'the columns are named there'));
}

function isListOf(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every(isObject);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** An object of objects, such as links, is not a record. */
function holdsValues(value: unknown): boolean {
  return isObject(value) && Object.values(value).some((each) => typeof each !== 'object');
}
