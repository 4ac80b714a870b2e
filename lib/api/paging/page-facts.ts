import type { Container, Member } from '../body/scan.ts';
import type { HeaderFields } from '../headers.ts';
import type { Place } from '../records/envelope.ts';
import { pageHeaders } from './page-headers.ts';
import { linkNext, listedNext } from './page-links.ts';
import { type Fact, mayHoldFacts, mayListLinks, type NumberRole, type Role, roleOf } from './page-roles.ts';

/** All that an answer says about its paging. */
export interface PageFacts {
  /** The next page's address, of a Link header or the body, absolute or relative. */
  readonly nextUrl: (Fact<string> & { readonly style: 'link' | 'next' }) | null;
  /** What the next page is asked with. */
  readonly token: Fact<string> | null;
  /** A member that would hold address or token, but is null or empty: this is the last page. */
  readonly ended: string | null;
  readonly more: Fact<boolean> | null;
  readonly numbers: Readonly<Partial<Record<NumberRole, Fact<number>>>>;
}

interface PagedAnswer {
  readonly headers: HeaderFields;
  readonly root: Container | null;
  readonly place: Place | null;
  /** The bytes of the body. */
  readonly read: (from: number, to: number) => Buffer;
}

/** What an answer's headers, and the members beside its records, say about its paging. */
export function pageFacts(answer: PagedAnswer): PageFacts {
  const facts = collector();
  const link = linkNext(answer.headers);
  if (link !== null) facts.nextUrl = { name: 'Link', value: link, style: 'link' };
  const beside = objectsBeside(answer);
  const nests = beside.flatMap((object) => nestsOf(object));
  for (const object of beside) for (const member of object.members) note(facts, member);
  for (const nest of nests) for (const member of nest.members) note(facts, member, nest.path.at(-1));
  for (const { name, role, value } of pageHeaders(answer.headers)) noteAs(facts, role, { name, value });
  if (!saysWhatIsNext(facts)) noteListedNext(facts, [...beside, ...nests], answer);
  return facts;
}

/** Lists of links are looked at last: servers that count pages often have one too, whose addresses nobody has followed. */
function saysWhatIsNext({ nextUrl, token, ended, more, numbers }: Collector): boolean {
  const said = nextUrl ?? token ?? ended ?? numbers.page ?? numbers.pages ?? numbers.offset ?? null;
  return said !== null || more?.value === false;
}

function noteListedNext(
  facts: Collector,
  objects: readonly Container[],
  { place, read }: Pick<PagedAnswer, 'place' | 'read'>,
): void {
  for (const { name, container } of objects.flatMap(({ members }) => members)) {
    if (container?.kind !== 'array' || container === place?.container || !mayListLinks(name)) continue;
    const value = listedNext(container, read);
    if (typeof value === 'string') facts.nextUrl ??= { name, value, style: 'next' };
    else if (value !== undefined) noteNext(facts, { name, value, role: 'next' });
  }
}

type Collector = { -readonly [K in keyof PageFacts]: PageFacts[K] } & {
  numbers: Partial<Record<NumberRole, Fact<number>>>;
};

function collector(): Collector {
  return { nextUrl: null, token: null, ended: null, more: null, numbers: {} };
}

/** The root and what lies between it and the records; nothing of a single record, whose members are values. */
function objectsBeside({
  root,
  place,
}: {
  readonly root: Container | null;
  readonly place: Place | null;
}): readonly Container[] {
  if (root === null || root.kind === 'array' || place?.form === 'record') return [];
  const objects: Container[] = [];
  let at: Container | null = root;
  for (const name of [...(place?.path ?? []), null]) {
    if (at === null || at === place?.container || at.kind === 'array') break;
    objects.push(at);
    at = at.members.find((member) => member.name === name)?.container ?? null;
  }
  return objects;
}

/** As deep as `meta.pagination.cursors`. */
const NESTED_AT_MOST = 3;

function nestsOf(object: Container, depth = 1): readonly Container[] {
  return object.members.flatMap(({ name, container }) =>
    container?.kind === 'object' && mayHoldFacts(name)
      ? [container, ...(depth < NESTED_AT_MOST ? nestsOf(container, depth + 1) : [])]
      : [],
  );
}

function note(facts: Collector, member: Member, within?: string): void {
  const role = roleOf(member.name, within);
  if (role !== undefined) noteAs(facts, role, { name: member.name, value: saidBy(member) });
}

function noteAs(facts: Collector, role: Role, { name, value }: Fact<unknown>): void {
  if (role === 'next' || role === 'token') noteNext(facts, { name, value, role });
  else if (role === 'more' || role === 'last') {
    const said = switchOf(value);
    if (said !== undefined) facts.more ??= { name, value: role === 'more' ? said : !said };
  } else noteNumber(facts, role, { name, value });
}

/** Yes or no, as a boolean, as 0 or a number above it, or as their text. */
function switchOf(value: unknown): boolean | undefined {
  const word = String(value).toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  return /^\d+$/.test(word) ? Number(word) > 0 : undefined;
}

function noteNext(
  facts: Collector,
  { name, value, role }: { name: string; value: unknown; role: 'next' | 'token' },
): void {
  if (value === null || value === '' || value === false) facts.ended ??= name;
  // What cannot be asked with says all the same that there is more.
  else if (value === true || typeof value === 'object') facts.more ??= { name, value: true };
  else if (typeof value === 'number') facts.token ??= { name, value: String(value) };
  else if (typeof value !== 'string') return;
  else if (role === 'next' && /^(https?:\/\/|\/|\?|\.\/)|\?.*=/i.test(value))
    facts.nextUrl ??= { name, value, style: 'next' };
  else facts.token ??= { name, value };
}

function noteNumber(facts: Collector, role: NumberRole, { name, value }: Fact<unknown>): void {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0)
    facts.numbers[role] ??= { name, value: number };
}

/** Members of an object that stand for it: an address, else a number. */
const STANDS_FOR = ['href', 'url', 'link', 'value'];

/** A scalar's value; of `{href}` its address; of another object or array itself, where it is not empty, else null. */
function saidBy({ text, container, kind }: Member): unknown {
  if (container !== null) {
    const inner = STANDS_FOR.flatMap((name) => container.members.find((each) => each.name === name) ?? []);
    const [first] = inner;
    return first === undefined ? (container.children === 0 ? null : container) : saidBy(first);
  }
  if (text === null) return undefined;
  return kind === 'null' ? null : JSON.parse(text);
}
