import { isIdle, isIdleAlways } from './idle-words.ts';
import { kindOfValue, switchOf, type ValueKind } from './said-value.ts';

/** A fact about paging, and the member or header that says it. */
export interface Fact<T> {
  readonly name: string;
  readonly value: T;
}

export type NumberRole = 'page' | 'pages' | 'pageSize' | 'offset' | 'limit' | 'total';

/** What a member or header beside the records says. `last` is the opposite of `more`; `idle` says nothing about pages. */
export type Role = NumberRole | 'next' | 'token' | 'more' | 'last' | 'idle';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const NEXT = set('next following subsequent older forward continue continuation resume resumption');
const ELSEWHERE = set('prev previous prior self newer back backward before');
const TOKEN = set('token cursor marker bookmark continuation scroll after resumption');
/** Name a token after `last` or `next`: `lastEvaluatedKey`, `last_id`. */
const KEYS = set('key id position iteration');
const VALUE = set('value string text');
const MORE_PAGES = set('more remaining additional further');
/** What was truncated or exceeded may be anything else than pages. */
const MORE = new Set([...MORE_PAGES, 'truncated', 'exceeded']);
const END = set('last final done finished complete completed exhausted end eof');
const PAGE = set('page pages pg paging');
const SIZE = set('size limit per length take top window batch chunk');
const OFFSET = set('offset skip start from');
const FIRST = set('first begin beginning');
const TOTAL = set(
  'total totals count counts found hits matched matches matching overall full available quantity',
);
const NUMBER = set('num number no amount');
const THINGS = set(
  'item items record records row rows result results entry entries element elements object objects document documents doc docs hit hits player players screen screens',
);
/** The words of a flag that speaks of pages and of nothing else: `hasMoreRows`, `is_last_page`, `moreDataAvailable`. */
const OF_PAGES = new Set([
  ...MORE_PAGES,
  ...NEXT,
  ...END,
  ...PAGE,
  ...THINGS,
  ...set('is has have are there any no available exist exists left to of the data list listing reached'),
]);
/** `nextUpdate` or `nextRun` has nothing to do with pages. */
const TIMES = set('time date datetime');
/** First words of a name whose 1 or 0 means yes or no: `hasMore`. */
const ASKS = set('is has have');
const EVENTS = set('update refresh run sync poll maintenance check reset execution backup');

/** True for a name such as `isPartial`: not all came, but maybe for another reason than pages. `isTruncated` means pages. */
export function isCut(words: readonly string[]): boolean {
  const own = withoutVendor(words);
  return own.some((word) => CUT.has(word)) || own.join(' ') === 'truncated';
}

/** True for a name with a word of pages, such as `prev`, `firstPage` or `from`. */
export function isOfPages(words: readonly string[]): boolean {
  return words.some(speaksOfPages);
}

/** True for a word that says how pages are: `cursorState: "expired"`. */
export function isStateOfPages(words: readonly string[], value: unknown): boolean {
  const kind = kindOfValue(value);
  const isSaid = kind === 'text' || (kind === 'token' && /^\p{L}+$/u.test(String(value)));
  return isSaid && isOfPages(words) && !speaksOfPages(words.at(-1) ?? '');
}

const speaksOfPages = (word: string): boolean => SPEAKS_OF_PAGES.some((some) => some.has(word));

const SPEAKS_OF_PAGES = [NEXT, ELSEWHERE, TOKEN, MORE, END, PAGE, OFFSET, FIRST, set('to upto')];

/** True for what programs call the number of entries of a list. */
export function isLengthOfList(words: readonly string[]): boolean {
  return ['size', 'length'].includes(words.join(' '));
}

/** True for the name of a number of records, of all or of a part. */
export function isOfTotal(words: readonly string[]): boolean {
  return words.some((word) => TOTAL.has(word));
}

const CUT = set('partial incomplete degraded');

interface Words {
  readonly own: readonly string[];
  readonly has: (words: ReadonlySet<string>) => boolean;
}

/**
 * What a member says about pages, by its value and the words of its name, which may begin with those of its object.
 * Undefined if this does not decide it.
 */
export function roleOf(words: readonly string[], value: unknown): Role | undefined {
  const own = withoutVendor(words);
  const name: Words = { own, has: (some) => own.some((word) => some.has(word)) };
  if (isIdleAlways(own) || (name.has(TIMES) && !name.has(NEXT))) return 'idle';
  const kind = kindOfValue(value);
  const role = direction(name, value, kind) ?? flag(name, value, kind);
  if (role === 'more' || role === 'last') return roleOfFlag(name, role, value);
  return role ?? token(name, kind) ?? number(name, kind) ?? idle(name, value, kind);
}

/** `x-ms-continuation` has the words of `continuation`. */
function withoutVendor(words: readonly string[]): readonly string[] {
  if (words[0] !== 'x' || words.length === 1) return words;
  return words.slice(words[1] === 'ms' && words.length > 2 ? 2 : 1);
}

/**
 * What a flag says whose name may have other words than those of pages: `limitExceeded: false` and `hasMoreColumns: false` say
 * nothing of pages, and `lastSync: true` may or may not. That there is more is believed, for it only leads to a question.
 */
function roleOfFlag({ own }: Words, role: 'more' | 'last', value: unknown): Role | undefined {
  if (own.every((word) => OF_PAGES.has(word)) || own.join(' ') === 'is truncated') return role;
  if (role === 'last') return undefined;
  return switchOf(value) === false ? 'idle' : role;
}

function direction({ own, has }: Words, value: unknown, kind: ValueKind): Role | undefined {
  if (has(NEXT)) {
    if (has(EVENTS) && !has(TOKEN))
      return kind === 'address' || kind === 'token' || Number(value) < 0 ? undefined : 'idle';
    if (kind === 'flag' || (kind === 'count' && has(ASKS))) return 'more';
    return has(TOKEN) && kind !== 'address' ? 'token' : 'next';
  }
  if (has(ELSEWHERE)) return 'idle';
  if ((has(FIRST) || own.includes('last')) && (kind === 'address' || kind === 'nothing' || kind === 'object'))
    return 'idle';
  if (has(FIRST) && kind === 'flag') return 'idle';
  if (own.includes('start') && has(TOKEN)) return 'idle';
  return undefined;
}

function flag({ has }: Words, value: unknown, kind: ValueKind): Role | undefined {
  if (has(MORE)) {
    if (kind === 'address') return 'next';
    if (kind === 'token') return 'token';
    return switchOf(value) === undefined ? undefined : 'more';
  }
  return has(END) && (kind === 'flag' || (kind === 'count' && has(ASKS))) ? 'last' : undefined;
}

function token({ own, has }: Words, kind: ValueKind): Role | undefined {
  // The last word says what a thing is: `cursorState` is none.
  const isNamed = TOKEN.has(own.at(-1) ?? '') || KEYS.has(own.at(-1) ?? '') || has(VALUE);
  const isToken = (has(TOKEN) && isNamed) || (own.includes('last') && has(KEYS));
  if (!isToken) return undefined;
  return kind === 'flag' || kind === 'object' ? undefined : 'token';
}

function number({ own, has }: Words, kind: ValueKind): Role | undefined {
  if (kind !== 'count') return undefined;
  if (has(PAGE)) {
    const isPlural = own.includes('pages');
    if (own.includes('per')) return 'pageSize';
    if (isPlural || has(TOTAL) || has(END) || own.includes('max')) return 'pages';
    return has(SIZE) ? 'pageSize' : 'page';
  }
  if (own.includes('per') && has(THINGS)) return 'pageSize';
  if ((has(TOTAL) || (own.includes('filtered') && has(THINGS))) && !has(OFFSET)) return 'total';
  if (own.includes('last')) return 'pages';
  if (has(OFFSET) || (has(FIRST) && (has(THINGS) || own.includes('index'))))
    return own.includes('max') ? 'limit' : 'offset';
  if (has(NUMBER) && has(THINGS)) return 'total';
  return has(SIZE) || (own.includes('max') && has(THINGS)) ? 'limit' : undefined;
}

/** `idle` for a value that is no count and that no page can be asked for with, whatever its name. */
function idle({ own }: Words, value: unknown, kind: ValueKind): Role | undefined {
  // Elasticsearch counts exactly, or at least so many: `gte`.
  if (own.includes('relation')) return value === 'eq' ? 'idle' : undefined;
  // Below 0 may be the end of what is a page's number on other days.
  if (kind === 'nothing' || (kind === 'plain' && !(Number(value) < 0))) return 'idle';
  return isIdle(own, { isAddress: kind === 'address', mayLead: String(value).includes('?') })
    ? 'idle'
    : undefined;
}
