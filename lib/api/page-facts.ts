import type { Place } from './envelope.ts';
import { type HeaderFields, headerOf } from './headers.ts';
import type { Container, Member } from './scan.ts';

/** Something that an answer says about its paging, and the member or header that says it. */
export interface Fact<T> {
  readonly name: string;
  readonly value: T;
}

export type NumberRole = 'page' | 'pages' | 'pageSize' | 'offset' | 'limit' | 'total';

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

type Role = NumberRole | 'next' | 'token' | 'more';

/** Member names in lower case without `_` and `-`. */
const ROLES: Readonly<Record<string, Role>> = {
  '@odata.nextlink': 'next',
  'odata.nextlink': 'next',
  nextlink: 'next',
  next: 'next',
  nexturl: 'next',
  nextpage: 'next',
  nextpageurl: 'next',
  nexthref: 'next',
  cursor: 'token',
  nextcursor: 'token',
  marker: 'token',
  nextmarker: 'token',
  nexttoken: 'token',
  nextpagetoken: 'token',
  continuationtoken: 'token',
  hasmore: 'more',
  hasnext: 'more',
  hasnextpage: 'more',
  istruncated: 'more',
  page: 'page',
  currentpage: 'page',
  pagenumber: 'page',
  pageindex: 'page',
  pages: 'pages',
  totalpages: 'pages',
  pagecount: 'pages',
  lastpage: 'pages',
  itemsperpage: 'pageSize',
  perpage: 'pageSize',
  pagesize: 'pageSize',
  offset: 'offset',
  skip: 'offset',
  startindex: 'offset',
  limit: 'limit',
  top: 'limit',
  take: 'limit',
  total: 'total',
  totalcount: 'total',
  totalitems: 'total',
  totalitemcount: 'total',
  totalrecords: 'total',
  totalresults: 'total',
  totalelements: 'total',
  '@odata.count': 'total',
  'odata.count': 'total',
  count: 'total',
};

/** Objects beside the records that may hold the facts. */
const NESTS = new Set(['meta', 'metadata', 'pagination', 'paging', 'page', 'pageinfo', 'links']);

/** Spring's names inside an object `page`. */
const IN_PAGE: Readonly<Record<string, Role>> = { number: 'page', size: 'pageSize' };

const TOTAL_HEADERS = ['x-total-count', 'x-total'];

/** What an answer's headers, and the members beside its records, say about its paging. */
export function pageFacts(answer: {
  readonly headers: HeaderFields;
  readonly root: Container | null;
  readonly place: Place | null;
}): PageFacts {
  const facts = collector();
  const link = linkNext(answer.headers);
  if (link !== null) facts.nextUrl = { name: 'Link', value: link, style: 'link' };
  for (const object of objectsBeside(answer)) for (const member of object.members) note(facts, member);
  for (const nest of objectsBeside(answer).flatMap(nestsOf)) {
    for (const member of nest.members) note(facts, member, nest.path.at(-1) === 'page' ? IN_PAGE : {});
  }
  for (const name of TOTAL_HEADERS)
    noteNumber(facts, 'total', { name, value: headerOf(answer.headers, name) });
  return facts;
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

function nestsOf(object: Container): readonly Container[] {
  return object.members.flatMap(({ name, container }) =>
    container?.kind === 'object' && NESTS.has(plainName(name)) ? [container] : [],
  );
}

function note(facts: Collector, member: Member, more: Readonly<Record<string, Role>> = {}): void {
  const role = ROLES[plainName(member.name)] ?? more[plainName(member.name)];
  if (role === undefined) return;
  const name = member.name;
  const value = scalarOf(member);
  if (role === 'next' || role === 'token') noteNext(facts, { name, value, role });
  else if (role === 'more') {
    if (value === true || value === false || value === 'true' || value === 'false')
      facts.more ??= { name, value: String(value) === 'true' };
  } else noteNumber(facts, role, { name, value });
}

function noteNext(
  facts: Collector,
  { name, value, role }: { name: string; value: unknown; role: 'next' | 'token' },
): void {
  if (value === null || value === '' || value === false) facts.ended ??= name;
  else if (typeof value === 'number' && role === 'next') facts.token ??= { name, value: String(value) };
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

/** A scalar's value; of an object `{href}` its address; undefined for everything else. */
function scalarOf({ text, container, kind }: Member): unknown {
  if (container !== null) {
    const href = container.members.find(({ name }) => name === 'href');
    return href === undefined ? undefined : scalarOf(href);
  }
  if (text === null) return undefined;
  return kind === 'null' ? null : JSON.parse(text);
}

/** The target of `rel="next"` in a Link header (RFC 8288). */
function linkNext(headers: HeaderFields): string | null {
  const value = headers.link;
  if (value === undefined) return null;
  const text = Array.isArray(value) ? value.join(', ') : value;
  for (const [, target, parameters] of text.matchAll(/<([^>]*)>((?:\s*;\s*[^;,<]+)*)/g)) {
    if (/;\s*rel\s*=\s*"?([^";,]*\s)?next(\s[^";,]*)?"?\s*(;|$)/i.test(parameters ?? ''))
      return target ?? null;
  }
  return null;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
