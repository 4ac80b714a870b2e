import type { Said } from './beside.ts';
import { isHealthy } from './healthy.ts';
import { isIdle, isIdleAlways } from './idle-words.ts';
import { roleOf } from './page-roles.ts';
import { type Asked, repeatsCall } from './repeats-call.ts';
import { isAddress, kindOfValue, switchOf, wholeNumberOf } from './said-value.ts';
import { wordsOf } from './words.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words for what chooses among the records. */
const FILTERS = set('query filter filters filtered search q where params parameters criteria');
/** Words before the time from which on, or up to which, there are records. */
const BOUNDS = set('since from after before');
/** Words for how the chosen records are shown: in which order, which fields of them, in which form. */
const SHOWS = set(
  'sort sorted order orderby by direction dir asc desc field fields select include expand format output pretty indent lang language locale api version key callback',
);
const EVERYTHING = set('all any everything');
const DATE = /^\d{4}-\d\d/;

/**
 * Whether a member says that the server chose among the records by what nobody asked for: `filtered: true`,
 * `filters: ["status:active"]`, `query: {"status": "active"}`, `since: "2026-11-20T00:00:00Z"`. Not one that repeats the call's
 * own query, or says that nothing was left out.
 */
export function isDefaultFilter({ path, value }: Said, { target, own }: Asked): boolean {
  const isWithin = path.slice(0, -1).some((name) => isFilterName(wordsOf(name)));
  const isNamed = isWithin || isFilterName(own);
  const isSince = own.some((word) => BOUNDS.has(word)) && DATE.test(String(value));
  if (!(isNamed || isSince) || isIdleAlways(own) || saysEverything(value)) return false;
  if (repeatsCall(value, { target, own })) return false;
  if (isWithin) return !isAsked(value, target) && !showsRecords(own, value) && !isStatement(value);
  return isSince || kindOfValue(value) !== 'flag' || switchOf(value) === true;
}

/** The header with the address of what the answer shows, also of where a redirect has led. */
export const CONTENT_LOCATION = 'content-location';

/**
 * The parameter that chooses among the records, and that nobody asked with, of the address that an answer has for itself:
 * `status=active` of `links.self: "/players?status=active"`. Null where there is none.
 */
export function choiceOfAddress({ path, value }: Said, target: string): string | null {
  const isOwn = path.some((name) => name === CONTENT_LOCATION || wordsOf(name).includes('self'));
  if (!isOwn || typeof value !== 'string' || !isAddress(value)) return null;
  const here = new URL(`http://localhost${target}`);
  const [choice] = [...(URL.parse(value, here.href)?.searchParams ?? [])].filter(([name, chosen]) => {
    const isChoice = !saysEverything(chosen) && !showsRecords(wordsOf(name), chosen);
    return isChoice && here.searchParams.get(name) !== chosen;
  });
  return choice?.join('=') ?? null;
}

/** `filteredOut`, `defaultFilter`; not `queryTime`, `searchId`. */
function isFilterName(words: readonly string[]): boolean {
  const others = words.filter((word) => !FILTERS.has(word));
  const isOther = others.length > 0 && isIdle(others, { isAddress: false, mayLead: false });
  return others.length < words.length && !isOther;
}

/** True for a value that leaves out nothing: none, 0, `all`, `*:*`. */
function saysEverything(value: unknown): boolean {
  if (kindOfValue(value) === 'nothing' || wholeNumberOf(value) === 0) return true;
  if (typeof value !== 'string') return false;
  return !/[\p{L}\p{N}]/u.test(value) || isHealthy(value) || EVERYTHING.has(value.trim().toLowerCase());
}

/** True for a value that the call was asked with, under whatever name. */
function isAsked(value: unknown, target: string): boolean {
  return [...new URL(`http://localhost${target}`).searchParams.values()].includes(String(value));
}

/** So many words are no value of a parameter: `select Id, Label from players order by Id limit 21`. */
const STATEMENT = 5;

function isStatement(value: unknown): boolean {
  return (
    typeof value === 'string' && value.split(/\P{L}+/u).filter((word) => word !== '').length >= STATEMENT
  );
}

/** True for a parameter of pages, or of how the records are shown. */
function showsRecords(own: readonly string[], value: unknown): boolean {
  const role = roleOf(own, value);
  return (role !== undefined && role !== 'idle') || own.every((word) => SHOWS.has(word));
}
