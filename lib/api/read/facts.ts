import type { Body } from '../body/body.ts';
import { jsonOf, textOf } from '../body/parse.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import type { Place } from '../records/shape.ts';
import { kindOfValue, type ValueKind } from './value-kind.ts';
import {
  ASIDE,
  CUT,
  FIRST,
  HARMLESS,
  MORE,
  NEXT,
  NUMBER,
  OFFSET,
  PAGE,
  STANDS_FOR,
  TOKEN,
  TOTAL,
} from './vocabulary.ts';
import { withoutVendor, wordsOf } from './words.ts';

/** What an answer says next to its records: a member at any depth, or a header with a word of pages. */
export interface Fact {
  /** The names from the root on; for a header its name, in lower case. */
  readonly path: readonly string[];
  readonly isHeader: boolean;
  readonly kind: ValueKind;
  /** Never an object with members: each member is a fact of its own. */
  readonly value: unknown;
}

/** More than the members, or levels, of any envelope. */
const FACTS_AT_MOST = 2000;
const DEPTH_AT_MOST = 12;
/** The most bytes around the records that are read. */
const ENVELOPE_BYTES = 16 * 1024 * 1024;

/** The facts of an answer. A bare list, and a record that is the whole answer, have only facts in headers. */
export function factsOf(answer: {
  readonly headers: HeaderFields;
  readonly body: Body | null;
  readonly place: Place | null;
}): readonly Fact[] {
  const { headers, body, place } = answer;
  const facts: Fact[] = [];
  for (const name of Object.keys(headers)) {
    if (!isOfPages(name)) continue;
    const value = valueOfHeader(headerOf(headers, name) ?? '');
    if (typeof value === 'object') walk(value, { path: [name], isHeader: true }, { facts, place: null });
    else facts.push({ path: [name], isHeader: true, kind: kindOfValue(value), value });
  }
  const envelope = body === null ? undefined : envelopeOf(body, place);
  walk(envelope, { path: [], isHeader: false }, { facts, place });
  return facts;
}

/** A header is a fact only if its name has a word of pages. `X-Auth-Token` and `X-Cache-Hits` have none. */
const OF_PAGES = [PAGE, FIRST, NUMBER, TOTAL, NEXT, TOKEN, MORE, CUT, OFFSET, new Set(['evaluated'])];
/** A cache: the answers of a run have the same few headers. */
const ofPages = new Map<string, boolean>();
const NAMES_KEPT = 1000;

function isOfPages(name: string): boolean {
  const known = ofPages.get(name);
  if (known !== undefined) return known;
  const words = withoutVendor(wordsOf(name));
  const isHarmless = words.some((word) => HARMLESS.has(word) && !STANDS_FOR.has(word));
  const is = !isHarmless && words.some((word) => word !== 'token' && OF_PAGES.some((some) => some.has(word)));
  if (ofPages.size < NAMES_KEPT) ofPages.set(name, is);
  return is;
}

/** X-Pagination of ASP.NET is an object as JSON. */
function valueOfHeader(text: string): unknown {
  return text.startsWith('{') ? (jsonOf(text) ?? text) : text;
}

/** The parsed body, a large one without its records; undefined where nothing is next to the records. */
function envelopeOf(body: Body, place: Place | null): unknown {
  const root = body.scan.container;
  if (root === null || root.kind === 'array' || place?.path.length === 0) return undefined;
  if (body.json !== undefined) return body.json;
  const cut = place?.container ?? root;
  const from = cut === root ? root.to : cut.from;
  if (place === null || from - root.from + (root.to - cut.to) > ENVELOPE_BYTES) return undefined;
  return jsonOf(`${textOf(body.read(root.from, from))}null${textOf(body.read(cut.to, root.to))}`);
}

interface Walk {
  readonly facts: Fact[];
  readonly place: Place | null;
}

function walk(value: unknown, at: Pick<Fact, 'path' | 'isHeader'>, walked: Walk): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (at.path.length >= DEPTH_AT_MOST) return;
  for (const [name, member] of Object.entries(value)) {
    if (walked.facts.length >= FACTS_AT_MOST) return;
    const path = [...at.path, name];
    if (isAt(path, walked.place?.path) || isAt(path, walked.place?.names)) continue;
    const kind = kindOfValue(member);
    if (kind !== 'object') walked.facts.push({ ...at, path, kind, value: member });
    else if (!isAside(name) || holdsLinks(member)) walk(member, { ...at, path }, walked);
    if (Array.isArray(member)) walk(nextAmong(member), { ...at, path }, walked);
  }
}

/** Members with a link's relation (HATEOAS, FHIR), and with its address, in lower case. */
const RELATIONS = ['rel', 'relation'];
const ADDRESSES = ['href', 'url'];

/** The next one of a list of links, as a member: `[{"rel": "next", "href": "…"}]`. It is true without an address. */
function nextAmong(list: readonly unknown[]): object | undefined {
  for (const link of list) {
    const members = new Map(Object.entries(Object(link)).map(([name, value]) => [name.toLowerCase(), value]));
    const relations = RELATIONS.flatMap((name) => String(members.get(name)).toLowerCase().split(/\s+/));
    if (!relations.includes('next')) continue;
    const [address = true] = ADDRESSES.flatMap((name) => (members.has(name) ? [members.get(name)] : []));
    return { next: address };
  }
  return undefined;
}

/** True for an object that repeats the call: `query: {"status": "active"}`. */
function isAside(name: string): boolean {
  const words = withoutVendor(wordsOf(name));
  return words.length > 0 && words.every((word) => ASIDE.has(word));
}

/** `_links` has the addresses of other pages. */
function holdsLinks(member: unknown): boolean {
  const text = (value: unknown): boolean => kindOfValue(value) === 'address';
  return Object.values(Object(member)).some(
    (value) =>
      value === null || text(value) || (typeof value === 'object' && Object.values(Object(value)).some(text)),
  );
}

function isAt(path: readonly string[], other: readonly string[] | undefined): boolean {
  return path.length === other?.length && path.every((name, index) => name === other[index]);
}

/** The name for messages and settings: the path joined by dots. */
export function nameOf({ path }: Pick<Fact, 'path'>): string {
  return path.length === 1 ? (path[0] ?? '') : path.join('.');
}

/** The place as the setting `paging` writes it. */
export function placeOf(fact: Pick<Fact, 'path' | 'isHeader'>): string {
  return `${fact.isHeader ? 'header:' : ''}${nameOf(fact)}`;
}

/** True if the setting `ignore` names the fact, or a member that holds it, by path or by name. */
export function isIgnored({ path }: Pick<Fact, 'path'>, ignore: readonly string[]): boolean {
  if (ignore.length === 0) return false;
  const lower = path.map((name) => name.toLowerCase());
  return ignore.some((entry) => {
    const wanted = entry.toLowerCase();
    return lower.includes(wanted) || lower.some((_, index) => lower.slice(0, index + 1).join('.') === wanted);
  });
}
