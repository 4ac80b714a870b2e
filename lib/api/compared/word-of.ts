import { hash } from 'node:crypto';
import { nameOf, type Said } from '../beside/beside.ts';
import { isHealthy } from '../beside/healthy.ts';
import { isIdleAlways } from '../beside/idle-words.ts';
import { isAddress, isTimeText, kindOfValue, switchOf, wholeNumberOf } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';

/** A word, or several in one, without a digit: no id, no number, no version. */
const WORDS = /^\p{L}[\p{L}\p{M}]*([,;:./_-]{1,2}[\p{L}\p{M}]+){0,15}$/u;
const SHARE = /^\d{1,3}([.,]\d{1,6})? ?%$/;
const LONGEST = 500;
const HASH_DIGITS = 8;
/** The name of the word of a form. No member is named so. */
const FORM = '$form';
/** A name that has had two words is known to change. */
const MOST_WORDS = 2;
/** Each form is known by itself: that there are two says nothing of a third. */
const MOST_FORMS = 20;
/** Stands for all words that say that nothing is wrong. */
const HEALTHY = 'ok';
/** In place of the hash of a number that is that of the records, or of their pages. */
const RECORDS = '#records';
const PAGES = '#pages';
/** In place of the hash of a text that is no word: an id, a version, a time. */
const NO_WORD = '#text';

/**
 * A member's word, flag, number or list with its name, and a hash in place of the value: `mode=5f2a9c01`, or `mode~5f2a9c01` where the
 * config ignores it. Empty for other values.
 */
export function wordOf(said: Said, isIgnored: boolean): readonly string[] {
  const text = textOf(said.value);
  const isIdle = !isIgnored && isIdleAlways(wordsOf(said.path.at(-1) ?? ''));
  if (text === undefined || isIdle) return [];
  return [`${nameOf(said)}${isIgnored ? '~' : '='}${hashOf(text)}`];
}

/** The word of a value of which only the kind is compared. */
export function wordOfKind(
  said: Said,
  { isIgnored, kind }: { readonly isIgnored: boolean; readonly kind: 'nothing' | 'count' },
): string {
  return `${nameOf(said)}${isIgnored ? '~' : '='}#${kind}`;
}

/** The word of a form, as `childForm` has it. `complete` answers it, as it does what is ignored. */
export function wordOfForm(form: string): string {
  return `${FORM}~${hashOf(`form ${form}`)}`;
}

/** Whether a word's name is that of the form. */
export function isForm(name: string): boolean {
  return name === FORM;
}

/** How many words a name has before it is known to change. */
export function mostOf(name: string): number {
  return isForm(name) ? MOST_FORMS : MOST_WORDS;
}

/** The word of a number of pages. */
export function wordOfPages(said: Said): string {
  return `${nameOf(said)}=${hashOf(textOfPages(wholeNumberOf(said.value) ?? 0))}`;
}

const textOfPages = (pages: number): string => `${pages} pages`;

function hashOf(text: string): string {
  if (text === NO_WORD) return NO_WORD;
  return hash('sha256', text.toLowerCase()).slice(0, HASH_DIGITS);
}

/**
 * The same word, without its number where that is the number of records or of pages: it changes as they do. Beside no record a 0
 * may be their number or another one, and is no word.
 */
export function withoutCount(
  word: string,
  { items, pages }: { readonly items: number; readonly pages: number },
): readonly string[] {
  const { name, isIgnored, hash } = parsed(word);
  const said = `${name}${isIgnored ? '~' : '='}`;
  // Pages are counted from 1, or from 0.
  if ([pages, pages - 1].some((each) => hash === hashOf(textOfPages(each)))) return [said + PAGES];
  if (hash !== hashOf(String(items))) return [word];
  return items === 0 ? [] : [said + RECORDS];
}

function textOf(value: unknown): string | undefined {
  // Where entries are objects, they may count records: only how many there are is compared.
  if (kindOfValue(value) === 'list' && Array.isArray(value))
    return value.some((each) => typeof each === 'object')
      ? `[${value.length}]`
      : `[${value.map(String).toSorted().join()}]`;
  if (kindOfValue(value) === 'flag') return String(switchOf(value));
  if (typeof value === 'number' || SHARE.test(String(value))) return String(value);
  if (kindOfValue(value) === 'count') return String(wholeNumberOf(value));
  if (typeof value !== 'string' || value === '') return undefined;
  if (value.length > LONGEST || isAddress(value) || isTimeText(value)) return NO_WORD;
  // A sentence may count the records, or say how long it took.
  if (kindOfValue(value) === 'text') return isHealthy(value) ? HEALTHY : value.replaceAll(/\d+/g, '0');
  if (!WORDS.test(value)) return NO_WORD;
  return isHealthy(value) ? HEALTHY : value;
}

interface Word {
  readonly name: string;
  readonly isIgnored: boolean;
  readonly hash: string;
}

/** The name of the member that said the word. */
export function nameOfWord(word: string): string {
  return parsed(word).name;
}

function parsed(word: string): Word {
  const at = Math.max(word.lastIndexOf('='), word.lastIndexOf('~'));
  return { name: word.slice(0, at), isIgnored: word[at] === '~', hash: word.slice(at + 1) };
}

/**
 * The words that are known after a listing, of each name two at most, and some forms: one that has been two things is known to change,
 * and is no news any more.
 */
export function wordsKnown(before: readonly string[], now: readonly string[]): readonly string[] {
  const known = before.map(parsed);
  const isOpen = ({ name, hash }: Word): boolean => {
    const same = known.filter((other) => other.name === name);
    return same.length < mostOf(name) && same.every((other) => other.hash !== hash);
  };
  return [...before, ...now.filter((word) => isOpen(parsed(word)))];
}

/**
 * What was one word before and is another one now. One that the config has come to ignore since is answered.
 */
export function wordsTurned(
  before: readonly string[],
  now: readonly string[],
): readonly Pick<Word, 'name' | 'isIgnored'>[] {
  const known = before.map(parsed);
  return now.map(parsed).filter(({ name, hash, isIgnored }) => {
    const same = known.filter((other) => other.name === name);
    const isAnswered = isIgnored && same[0]?.isIgnored === false;
    const mayTurn = same.length > 0 && same.length < mostOf(name);
    return mayTurn && same.every((other) => other.hash !== hash) && !isAnswered;
  });
}
