import type { PagingStyle } from '../../config/paging-style.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import { type Fact, isIgnored, nameOf, placeOf } from './facts.ts';
import { leadAt, linkOf } from './links.ts';
import { mayLead, type NumberRole, ofPages, roleOfFact } from './role.ts';
import type { Draft, Signals } from './said.ts';
import { switchOf, wholeNumberOf } from './value-kind.ts';
import {
  HARMLESS,
  HARMLESS_ALWAYS,
  KEYS,
  LISTINGS,
  NUMBER,
  OF_FLAGS,
  SIZE,
  STANDS_FOR,
  THINGS,
  TOTAL,
} from './vocabulary.ts';
import { wordsOf } from './words.ts';

export interface SignalledAnswer {
  readonly headers: HeaderFields;
  readonly facts: readonly Fact[];
  readonly status: number;
  /** `resources.NAME.ignore` */
  readonly ignore: readonly string[];
  /** The source's origin. */
  readonly origin: string;
  /** Path and query of the call. */
  readonly target: string;
  /** The words of the listing's own name, which its total may have. */
  readonly listing: readonly string[];
  /** The style of the setting `paging`: only its place is followed. */
  readonly follow: PagingStyle | null;
}

const PART = 'HTTP 206';

/** The signals of an answer about pages, by the words of its facts. */
export function signalsOf(answer: SignalledAnswer): Signals {
  const draft: Draft = { ...NONE, numbers: {}, totals: [], open: [], foreign: [], own: null };
  const facts = answer.facts.filter((fact) => !isIgnored(fact, answer.ignore));
  headersInto(draft, answer);
  if (facts.length > 0) {
    for (const fact of facts) wordInto(draft, fact, answer);
    const clearest = Math.max(0, ...draft.totals.map(({ rank = 2 }) => rank));
    draft.foreign = draft.totals.filter(({ rank = 2 }) => rank + 1 < clearest);
    draft.totals = draft.totals.filter(({ rank = 2 }) => rank + 1 >= clearest);
    if (!draft.isEnded && draft.next === null && draft.more?.value !== false) draft.token ??= draft.own;
  }
  // It calls itself a part, and does not say of what.
  const isPart = answer.status === 206 && draft.totals.length === 0 && !isLed(draft);
  if (isPart && !isIgnored({ path: [PART] }, answer.ignore)) draft.more = { name: PART, value: true };
  if (answer.follow !== null && answer.follow.place !== null)
    return { ...draft, ...leadAt({ ...answer.follow, place: answer.follow.place }, answer.facts) };
  return draft;
}

const NONE: Signals = {
  next: null,
  token: null,
  isEnded: false,
  more: null,
  numbers: {},
  totals: [],
  isRange: false,
  open: [],
  foreign: [],
};

function headersInto(draft: Draft, { headers, follow, status }: SignalledAnswer): void {
  const link = headers['link'];
  const next = linkOf(link, follow?.name === 'link' && follow.param !== '' ? follow.param : 'next');
  if (next !== null) draft.next = { name: 'Link', value: next, by: 'link' };
  const range = headerOf(headers, 'content-range')?.trim() ?? '';
  const [part = '', total = ''] = range.split(/\s/).at(-1)?.split('/') ?? [];
  const isNumber = /^\d{1,15}$/.test(total);
  if (isNumber) draft.totals.push({ name: 'Content-Range', value: Number(total) });
  draft.isRange = status === 206 && /^\d{1,15}-\d{1,15}$/.test(part) && (isNumber || total === '*');
}

/** True where an answer says what comes next, or that nothing does. */
function isLed({ next, token, isEnded, more, numbers }: Draft): boolean {
  return isEnded || (next ?? token ?? more ?? numbers.page ?? numbers.offset ?? null) !== null;
}

function numberInto(draft: Draft, role: Exclude<NumberRole, 'total'>, fact: Fact): void {
  const value = wholeNumberOf(fact.value);
  if (value !== undefined) draft.numbers[role] ??= { name: nameOf(fact), value };
}

/** The signals of one fact by the words of its name. */
function wordInto(draft: Draft, fact: Fact, answer: SignalledAnswer): void {
  const { value, path } = fact;
  if (Array.isArray(value)) return;
  const role = roleOfFact(fact);
  const name = nameOf(fact);
  if (role === 'next' || role === 'token') leadInto(draft, fact, { role, answer });
  else if (role === 'more' || role === 'last') {
    const is = switchOf(value);
    // Of two facts that contradict each other, the one that announces more wins.
    if (is !== undefined && draft.more?.value !== true)
      draft.more = { name, value: role === 'more' ? is : !is };
  } else if (role === 'total') {
    const rank = rankOf(fact, answer.listing);
    if (rank !== null) draft.totals.push({ name, value: wholeNumberOf(value) ?? 0, rank });
  } else if (role !== undefined && role !== 'harmless') numberInto(draft, role, fact);
  else if (role === undefined && mayLead(fact, answer.target)) draft.open.push(fact);
  // DynamoDB's `LastEvaluatedKey` is an object.
  if (path.slice(0, -1).some(isLastKey)) draft.open.push({ ...fact, path: path.slice(0, 1), kind: 'token' });
}

function isLastKey(name: string): boolean {
  const words = wordsOf(name);
  return words.includes('last') && words.some((word) => KEYS.has(word));
}

function leadInto(
  draft: Draft,
  fact: Fact,
  { role, answer }: { readonly role: 'next' | 'token'; readonly answer: SignalledAnswer },
): void {
  const { kind, value } = fact;
  const name = nameOf(fact);
  if (kind === 'address' && isElsewhere(fact, answer)) return;
  // Some servers say -1, or 0, after the last page.
  const isNone =
    kind === 'nothing' || value === false || Number(value) < 0 || (value === 0 && role === 'next');
  if (isNone) draft.isEnded = true;
  else if (kind === 'address' && role === 'next') draft.next ??= { name, value: String(value), by: 'next' };
  else if (kind === 'flag') draft.more ??= { name, value: switchOf(value) === true };
  else if (kind === 'list' || kind === 'sentence') return;
  else {
    const token = { name, value: String(value), place: placeOf(fact) };
    // One that requested this page leads on only without any other.
    if (isAskedWith(value, answer.target)) draft.own ??= token;
    else draft.token ??= token;
  }
}

/** True for `learnMore` at another origin, if it lacks the call's path or a query. `nextUrl` leads on in any case. */
function isElsewhere({ path, value }: Fact, { origin, target }: SignalledAnswer): boolean {
  const own = wordsOf(path.at(-1) ?? '').filter((word) => !STANDS_FOR.has(word));
  const there = URL.parse(String(value), origin);
  if (there === null || there.origin === origin || ofPages({ own })) return false;
  const [asked = ''] = target.toLowerCase().split('?');
  return there.search === '' || !asked.endsWith(there.pathname.toLowerCase().replace(/^.*\//, '/'));
}

function isAskedWith(value: unknown, target: string): boolean {
  const at = target.indexOf('?');
  return at !== -1 && [...new URLSearchParams(target.slice(at)).values()].includes(String(value));
}

const OF_TOTALS = [TOTAL, NUMBER, THINGS, OF_FLAGS, SIZE];

/**
 * How clearly a total counts the records: `total` most, `count` less, `totalAlerts` and `licenses.total` hardly.
 * `totalScreens` and `requestCount` next to players do not, nor does `_shards.total`.
 */
function rankOf({ path, isHeader }: Fact, listing: readonly string[]): number | null {
  const names = path.map(wordsOf).filter((own) => !own.every((word) => STANDS_FOR.has(word)));
  const [holder = [], words = []] = [[], ...names].slice(-2);
  const isOwn = (word: string): boolean => listing.includes(word) || listing.includes(`${word}s`);
  const isElse = (word: string): boolean => LISTINGS.has(word) && !isOwn(word);
  if (words.some((word) => (word !== 'x' && HARMLESS.has(word)) || isElse(word))) return null;
  if (holder.some((word) => HARMLESS_ALWAYS.has(word))) return null;
  const isNamed = words.every((word) => isOwn(word) || OF_TOTALS.some((some) => some.has(word)));
  return (isHeader || (isNamed && !holder.some(isElse)) ? 2 : 0) + (words.includes('total') ? 1 : 0);
}
