import type { PagingStyle } from '../../config/paging-style.ts';
import { childWords } from '../compared/child-words.ts';
import { flagOf } from '../compared/flag-of.ts';
import { type Times, timesIn } from '../compared/times.ts';
import { wordsBeside } from '../compared/words-beside.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import { isIgnored, nameOf, type Said } from './beside.ts';
import { CONTENT_LOCATION, choiceOfAddress, isDefaultFilter } from './default-filter.ts';
import { furtherLinks, lastBeyond } from './further-links.ts';
import { isIdleAlways } from './idle-words.ts';
import { isListOfLinks, linkOf, listedLink } from './page-links.ts';
import { valueAt } from './page-place.ts';
import { type Range, rangeIn } from './page-range.ts';
import {
  type Fact,
  isCut,
  isLengthOfList,
  isOfPages,
  isStateOfPages,
  type NumberRole,
} from './page-roles.ts';
import { isOwnPage, repeatsCall, saysQuery } from './repeats-call.ts';
import { isOfLink, roleOfSaid } from './role-of-said.ts';
import { kindOfValue, switchOf, wholeNumberOf } from './said-value.ts';
import { staleIn } from './stale.ts';
import { isTold, namesColumns } from './told.ts';
import { wordsOf } from './words.ts';

/** All that an answer says about its paging. */
export interface PageFacts {
  /** The next page's address, absolute or relative, from a Link header or the body. */
  readonly nextUrl: (Fact<string> & { readonly style: 'link' | 'next' }) | null;
  /** The cursor with which the next page is asked for. */
  readonly token: Token | null;
  /** A member for the next page's address or token that is null or empty, so this is the last page. */
  readonly ended: (Fact<null> & { readonly style: 'next' | 'cursor' }) | null;
  readonly more: Fact<boolean> | null;
  /** Where the config says that there are pages: a member that says that not all came, because of further pages or of a failure. */
  readonly cut: Fact<boolean> | null;
  /** A flag that says that this is not the first page. */
  readonly notFirst: string | null;
  readonly numbers: Readonly<Partial<Record<Exclude<NumberRole, 'total'>, Fact<number>>>>;
  /** Numbers of records, of the listing or of the page alone; further pages tell which. */
  readonly totals: readonly Fact<number>[];
  /** Texts with the numbers of the page's first and last record, and of all. */
  readonly ranges: readonly Range[];
  /** Members that may be about pages, or may not. */
  readonly unexplained: readonly Said[];
  /** Numbers that say how many records there are at most: on a page, or on all. */
  readonly bounds: readonly Said[];
  /** Links to a last page behind this one, where nothing leads on to it. */
  readonly beyond: readonly Said[];
  /** What members say that the config ignores, as `flagOf` has it. */
  readonly flags: readonly string[];
  /** What members say that speak of no page, as `wordOf` has it; of a parent's listing, as `childWords` has it. */
  readonly words: readonly string[];
  /** The times that stand beside the records. */
  readonly times: Times;
  /** Members that may tell that records are missing. */
  readonly told: readonly Said[];
  /** All members that speak of no page, and are not empty. */
  readonly others: readonly Said[];
  /** The names of all members beside the records that are not empty, so that a new one is noticed later. */
  readonly names: readonly string[];
}

/** A cursor, and its place as the setting `paging` writes it: `paging.next`, `header:x-next`. */
export interface Token extends Fact<string> {
  readonly place: string;
}

export interface PagedAnswer {
  readonly headers: HeaderFields;
  /** The members beside the records. */
  readonly beside: readonly Said[];
  readonly status: number;
  /** `resources.NAME.ignore` */
  readonly ignore: readonly string[];
  /** Path and query of the call. */
  readonly target: string;
  /** The style that a setting names: its place decides what is followed. */
  readonly follow: PagingStyle | null;
  /** How the place of the records is built, as `childForm` has it. */
  readonly form: string;
  /** Whether it is the listing of a parent. */
  readonly isChild: boolean;
}

/** Reads what an answer's headers, and the members beside its records, say about its paging. */
export function pageFacts(answer: PagedAnswer): PageFacts {
  const facts = collector();
  const relation =
    answer.follow?.name === 'link' && answer.follow.param !== '' ? answer.follow.param : 'next';
  const link = linkOf(answer.headers['link'], relation);
  if (link !== null) facts.nextUrl = { name: 'Link', value: link, style: 'link' };
  const [, range] = /\/(\d{1,15})$/.exec(String(answer.headers['content-range'] ?? '').trim()) ?? [];
  if (range !== undefined) facts.totals.push({ name: 'Content-Range', value: Number(range) });
  const { beside } = answer;
  if (!answer.isChild) facts.times = timesIn(answer);
  const compared = beside.filter((said) => !isPlace(said, answer.follow));
  facts.words.push(
    ...(answer.isChild ? childWords(compared, answer) : wordsBeside({ ...answer, beside: compared })),
  );
  const lists: Said[] = [];
  for (const said of beside) {
    if (kindOfValue(said.value) !== 'nothing') facts.names.push(nameOf(said));
    if (isIgnored(said, answer.ignore)) facts.flags.push(...flagOf(said));
    if (isIgnored(said, answer.ignore) || isPlace(said, answer.follow)) continue;
    if (Array.isArray(said.value) && isListOfLinks(said.value)) {
      lists.push(said);
      continue;
    }
    if (isNotFirst(said)) facts.notFirst ??= nameOf(said);
    const cut = isPaged(answer.follow) ? cutOf(said) : null;
    if (cut !== null) facts.cut = moreOf(facts.cut, cut);
    if (cut?.value === true) facts.more ??= cut;
    else note(facts, said, answer.target);
  }
  if (facts.ended === null && facts.nextUrl === null) facts.token ??= facts.own;
  facts.totals = [...summed(facts.totals)];
  facts.told = [
    ...facts.told.filter((said) => !namesColumns(said, beside)),
    ...staleIn(answer),
    ...filteredAddresses(answer),
  ];
  if (!saysWhatIsNext(facts)) for (const said of lists) noteListed(facts, said);
  if ((facts.nextUrl ?? facts.token) === null) facts.beyond = lastBeyond({ ...answer, lists });
  if (!saysWhatIsNext(facts)) {
    const links = [...furtherLinks({ ...answer, lists }), ...facts.beyond];
    const further = links.filter((said) => !isPlace(said, answer.follow));
    facts.unexplained.push(...further);
    facts.names.push(...further.map(nameOf));
  } else if (facts.nextUrl ?? facts.token ?? facts.ended)
    facts.unexplained = facts.unexplained.filter((said) => !isOwnPage(said));
  if (answer.status === 206 && !isNumbered(answer.follow) && !saysWhatIsNext(facts))
    facts.more = { name: 'HTTP 206', value: true };
  if (answer.follow !== null && answer.follow.place !== null) follow(facts, answer.follow, beside);
  return facts;
}

/** What the addresses that the answer has for itself say of a choice that nobody asked for. */
function filteredAddresses({ headers, beside, ignore, target }: PagedAnswer): readonly Said[] {
  const value = headerOf(headers, CONTENT_LOCATION);
  const location = { path: [CONTENT_LOCATION], isHeader: true, value, isAside: false };
  const all = value === undefined ? beside : [...beside, location];
  return all.flatMap((said) => {
    const choice = isIgnored(said, ignore) ? null : choiceOfAddress(said, target);
    return choice === null ? [] : [{ ...said, value: choice }];
  });
}

/** The totals, where those of groups are their sum: `regions.0.count` and `regions.1.count`. */
function summed(totals: readonly Fact<number>[]): readonly Fact<number>[] {
  const sums = new Map<string, number>();
  for (const { name, value } of totals) {
    const group = name.replace(/(^|\.)\d+\./, '$1[].');
    sums.set(group, (group === name ? 0 : (sums.get(group) ?? 0)) + value);
  }
  return [...sums].map(([name, value]) => ({ name, value }));
}

/** True for the member that the setting names: what it says is followed. */
function isPlace({ path, isHeader }: Said, style: PagingStyle | null): boolean {
  const name = nameOf({ path });
  return style?.place?.toLowerCase() === `${isHeader ? 'header:' : ''}${name}`.toLowerCase();
}

const FIRST_PAGE = new Set(['is', 'first', 'page']);

/** `first: false`, `isFirstPage: "N"`. */
function isNotFirst({ path, value }: Said): boolean {
  const words = wordsOf(path.at(-1) ?? '');
  return words.includes('first') && words.every((word) => FIRST_PAGE.has(word)) && isNo(value);
}

function isNo(value: unknown): boolean {
  return kindOfValue(value) === 'flag' && switchOf(value) === false;
}

function isPaged(style: PagingStyle | null): boolean {
  return style !== null && style.name !== 'none';
}

function isNumbered(style: PagingStyle | null): boolean {
  return style?.name === 'page' || style?.name === 'offset';
}

/** Whether a member says that the answer is not whole; null for a member that is not about it. */
function cutOf({ path, value }: Said): Fact<boolean> | null {
  const isSwitch = isCut(wordsOf(path.at(-1) ?? '')) && switchOf(value) !== undefined;
  return isSwitch ? { name: nameOf({ path }), value: switchOf(value) === true } : null;
}

/** Notes what stands at the place of the setting, for only this is followed. */
function follow(facts: Collector, { name, place }: PagingStyle, beside: readonly Said[]): void {
  facts.nextUrl = null;
  facts.token = null;
  facts.ended = null;
  const value = valueAt(beside, place ?? '');
  // Behind the last page some servers count from 0 again.
  if (value !== undefined && wholeNumberOf(value) === 0)
    facts.ended = { name: place ?? '', value: null, style: name === 'next' ? 'next' : 'cursor' };
  else if (value !== undefined)
    noteNext(facts, { name: place ?? '', value, place: place ?? '' }, name === 'next' ? 'next' : 'token');
}

/** True if other members tell the next page. Only if not, lists of links are read: they may be untested extras of a server. */
function saysWhatIsNext({ nextUrl, token, ended, more, numbers }: Collector): boolean {
  const said = nextUrl ?? token ?? ended ?? numbers.page ?? numbers.pages ?? numbers.offset ?? null;
  return said !== null || more?.value === false;
}

function noteListed(facts: Collector, said: Said): void {
  const name = nameOf(said);
  const value = listedLink(said.value as readonly unknown[], 'next');
  if (typeof value === 'string') facts.nextUrl ??= { name, value, style: 'next' };
  else if (value === true) facts.more ??= { name, value: true };
  else if (value === null) facts.ended ??= { name, value, style: 'next' };
}

type Collector = { -readonly [K in keyof PageFacts]: PageFacts[K] } & {
  numbers: Partial<Record<Exclude<NumberRole, 'total'>, Fact<number>>>;
  totals: Fact<number>[];
  /** A token that is what this page was asked with. */
  own: Token | null;
  ranges: Range[];
  unexplained: Said[];
  bounds: Said[];
  beyond: readonly Said[];
  flags: string[];
  words: string[];
  told: Said[];
  others: Said[];
  names: string[];
};

function collector(): Collector {
  return {
    nextUrl: null,
    token: null,
    ended: null,
    own: null,
    more: null,
    cut: null,
    notFirst: null,
    numbers: {},
    totals: [],
    ranges: [],
    unexplained: [],
    bounds: [],
    beyond: [],
    flags: [],
    words: [],
    times: {},
    told: [],
    others: [],
    names: [],
  };
}

function note(facts: Collector, said: Said, target: string): void {
  const own = wordsOf(said.path.at(-1) ?? '');
  const role = roleOfSaid(said, own);
  const name = nameOf(said);
  const isOther = role === undefined || role === 'idle';
  const range = !said.isAside && isOther ? rangeIn(said) : null;
  if (isOther && !said.isAside && !isAboutPages(said, own) && !isIdleAlways(own)) facts.others.push(said);
  if (range !== null) facts.ranges.push(range);
  else if (isOther && isDefaultFilter(said, { target, own })) facts.told.push(said);
  else if (isOther && isTold(said, own)) {
    if (!saysQuery(said.value, target)) facts.told.push(said);
  } else if (role === undefined) {
    const isWhole = cutOf(said)?.value === false;
    if (!isWhole && isLoud(said.value) && !repeatsCall(said.value, { target, own }))
      facts.unexplained.push(said);
  } else if (role === 'next' || role === 'token') {
    const lead = { name, value: said.value, place: said.isHeader ? `header:${name}` : name };
    // Where another one differs from what this page was asked with, that one leads on.
    if (role === 'token' && isAskedWith(said.value, target))
      facts.own ??= { ...lead, value: String(said.value) };
    else noteNext(facts, lead, role);
  } else if (role === 'more' || role === 'last') {
    const value = switchOf(said.value);
    if (value !== undefined)
      facts.more = moreOf(facts.more, { name, value: role === 'more' ? value : !value });
  } else if (role !== 'idle') {
    const isBound = (role === 'limit' || role === 'pageSize') && !isLengthOfList(own);
    if (isBound) facts.bounds.push(said);
    noteNumber(facts, role, { name, value: said.value });
  }
}

/** True for a member with nothing to say, with a word of pages, or of the link to a page: `_links.prev.href`. */
function isAboutPages(said: Said, own: readonly string[]): boolean {
  const isOfPage = isOfPages(own) && !isStateOfPages(own, said.value);
  return isOfLink(said) || isOfPage || kindOfValue(said.value) === 'nothing';
}

/** True for a value of the query of the call. */
function isAskedWith(value: unknown, target: string): boolean {
  const { searchParams } = new URL(`http://localhost${target}`);
  return kindOfValue(value) !== 'nothing' && [...searchParams.values()].includes(String(value));
}

/** If two facts contradict each other, the one that says that there is more. */
function moreOf(before: Fact<boolean> | null, now: Fact<boolean>): Fact<boolean> {
  return before === null || (now.value && !before.value) ? now : before;
}

/** True if a value may be about pages. */
function isLoud(value: unknown): boolean {
  const kind = kindOfValue(value);
  return Number(value) < 0 || kind === 'flag' || kind === 'count' || kind === 'address' || kind === 'token';
}

/** Notes what a member says of the next page. A value that no page can be asked for with still says that there is more. */
function noteNext(
  facts: Pick<Collector, 'nextUrl' | 'token' | 'ended' | 'more'>,
  { name, value, place }: Fact<unknown> & Pick<Token, 'place'>,
  role: 'next' | 'token',
): void {
  const kind = kindOfValue(value);
  if (kind === 'nothing' || value === false || isBelowAll(name, value)) {
    facts.ended ??= { name, value: null, style: role === 'next' ? 'next' : 'cursor' };
  } else if (value === true || kind === 'list' || kind === 'object') facts.more ??= { name, value: true };
  else if (role === 'next' && kind === 'address')
    facts.nextUrl ??= { name, value: String(value), style: 'next' };
  else facts.token ??= { name, value: String(value), place };
}

/** A number that no next page has: `nextPage: -1`, `next: 0`. */
function isBelowAll(name: string, value: unknown): boolean {
  const number = typeof value === 'number' || /^-?\d{1,15}$/.test(String(value)) ? Number(value) : 1;
  return number < 0 || (number === 0 && wordsOf(name).includes('next'));
}

function noteNumber(facts: Collector, role: NumberRole, { name, value }: Fact<unknown>): void {
  const number = wholeNumberOf(value);
  if (number === undefined) return;
  if (role === 'total') facts.totals.push({ name, value: number });
  else facts.numbers[role] ??= { name, value: number };
}
