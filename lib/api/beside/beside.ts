import type { Body } from '../body/body.ts';
import { textOf } from '../body/text-of.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import type { Place } from '../records/place.ts';
import { isIdleContainer, isWellKnownHeader } from './idle-words.ts';
import { roleOf } from './page-roles.ts';
import { kindOfValue } from './said-value.ts';
import { wordsOf } from './words.ts';

/** A member beside the records, or a header that neither HTTP nor its servers define. */
export interface Said {
  /** The names from the root on; for a header its name, in lower case. */
  readonly path: readonly string[];
  readonly isHeader: boolean;
  /** Never an object with members: each member is an entry of its own. */
  readonly value: unknown;
  /** True in an object that repeats the call's parameters or describes something else than the listing; for the names of columns, and a text about a link. */
  readonly isAside: boolean;
}

/** An answer's headers, and what stands beside its records. */
export interface AnswerBeside {
  readonly headers: HeaderFields;
  readonly beside: readonly Said[];
  /** `resources.NAME.ignore` */
  readonly ignore: readonly string[];
}

/** More members than any envelope has: an answer with more is not understood. */
const MEMBERS_AT_MOST = 2000;
const DEPTH_AT_MOST = 12;
/** The most bytes around the records that are read; a larger answer is refused when it is sliced. */
const ENVELOPE_BYTES = 16 * 1024 * 1024;

/** The members beside the records of an answer, after its headers. A bare list, or a single record, has no members beside it. */
export function besideOf(answer: {
  readonly headers: HeaderFields;
  readonly body: Body | null;
  readonly place: Place | null;
}): readonly Said[] {
  const said: Said[] = [];
  for (const name of Object.keys(answer.headers)) {
    const value = headerOf(answer.headers, name);
    if (value === undefined || isWellKnownHeader(name)) continue;
    const parsed = valueOfHeader(value);
    if (parsed === value) said.push({ path: [name], isHeader: true, value, isAside: false });
    else walk(parsed, { path: [name], isHeader: true, isAside: false }, { said, place: null });
  }
  const root = answer.body === null ? undefined : envelopeOf(answer.body, answer.place);
  const own = { isHeader: false, isAside: false };
  walk(root, { path: [], ...own }, { said, place: answer.place });
  const { path = [], rest } = answer.place ?? {};
  walk(rest, { path, ...own }, { said, place: null });
  return said;
}

/** X-Pagination of ASP.NET is an object as JSON. */
function valueOfHeader(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The parsed body, a large one without its records; undefined if nothing stands beside the records. */
function envelopeOf(body: Body, place: Place | null): unknown {
  const root = body.scan.container;
  if (root === null || root.kind === 'array') return undefined;
  if (place !== null && place.path.length === 0) return undefined;
  if (body.json !== undefined) return body.json;
  const cut = place?.container ?? root;
  const from = cut === root ? root.to : cut.from;
  const [before, behind] = [from - root.from, root.to - cut.to];
  if (place === null || before + behind > ENVELOPE_BYTES) return undefined;
  try {
    const text = `${textOf(body.read(root.from, from))}null${textOf(body.read(cut.to, root.to))}`;
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Walk {
  readonly said: Said[];
  readonly place: Place | null;
}

function walk(value: unknown, at: Omit<Said, 'value'>, walked: Walk): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (at.path.length >= DEPTH_AT_MOST) return;
  const isOfLink = isLink(value, at.path, walked.place);
  for (const [name, member] of Object.entries(value)) {
    if (walked.said.length >= MEMBERS_AT_MOST) return;
    const path = [...at.path, name];
    if (isAt(path, walked.place?.path)) continue;
    const isNames = isAt(path, walked.place?.names);
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isObject && Object.keys(member).length > 0) {
      walk(member, { ...at, path, isAside: at.isAside || isIdleContainer(wordsOf(name)) }, walked);
    } else {
      const isAside = at.isAside || isNames || (isOfLink && isAbout(name, member));
      walked.said.push({ ...at, path, value: member, isAside });
    }
  }
}

/** True for an object with an address below the envelope, as HAL's `{"title": "page 2 of 9", "href": "…"}`; not for one that holds the records. */
function isLink(value: object, path: readonly string[], place: Place | null): boolean {
  const holdsRecords = place?.path.slice(0, path.length).join('\n') === path.join('\n');
  return path.length > 0 && !holdsRecords && 'href' in value && typeof value.href === 'string';
}

/** True for words about a link; a cursor beside it leads on. */
function isAbout(name: string, value: unknown): boolean {
  const kind = kindOfValue(value);
  return kind === 'text' || (kind === 'token' && roleOf(wordsOf(name), value) === 'idle');
}

function isAt(path: readonly string[], other: readonly string[] | undefined): boolean {
  return path.length === other?.length && path.every((name, index) => name === other[index]);
}

/** A member's name for messages and settings: its path joined by dots; for a header its name. */
export function nameOf({ path }: Pick<Said, 'path'>): string {
  const [own = ''] = path;
  return path.length > 1 ? path.join('.') : own;
}

/** True if the setting `ignore` names the member, or a member that holds it, by path or by name. */
export function isIgnored(said: Pick<Said, 'path'>, ignore: readonly string[]): boolean {
  if (ignore.length === 0) return false;
  const lower = said.path.map((name) => name.toLowerCase());
  return ignore.some((entry) => {
    const wanted = entry.toLowerCase();
    return lower.includes(wanted) || lower.some((_, index) => lower.slice(0, index + 1).join('.') === wanted);
  });
}
