import { wordsOf } from '../paging/words.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Say of a record or of a path that it is not there. */
const NOT_THERE = set('unknown nonexistent missing deleted removed gone 404 notfound');
const PATH = set('path route url uri endpoint resource page controller method action fixture');
/** Behind a `not` or `no`. */
const FOUND = set('found find exist exists existing existent known such');
/** What is looked at of an answer. */
const LONGEST = 2000;

/**
 * Whether a 404 or 410 says that a record or path is not there, or nothing at all. `{"message": "Device is offline"}` says
 * something else: its status is no word that the device was removed.
 */
export function saysNotThere(text: string): boolean {
  const trimmed = text.trim().slice(0, LONGEST);
  if (trimmed === '' || trimmed.startsWith('<')) return true;
  const words = textsIn(trimmed).flatMap(wordsOf);
  if (words.length === 0) return true;
  if (words.some((word) => NOT_THERE.has(word) || PATH.has(word))) return true;
  const isDenied = words.includes('not') || words.includes('no') || words.includes('t');
  return isDenied && words.some((word) => FOUND.has(word));
}

/** The texts of a JSON document, those with a word in them; the text itself where it is none. */
function textsIn(text: string): readonly string[] {
  try {
    const texts: string[] = [];
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' && /[a-z]/i.test(value)) texts.push(value);
      return value;
    });
    return texts;
  } catch {
    return [text];
  }
}

/** A short name for what such an answer says, whichever record it says it of: numbers do not count. */
export function nameOfText(text: string): string {
  let hash = 0x811c9dc5;
  const plain = text.slice(0, LONGEST).replaceAll(/\d/g, '');
  for (let index = 0; index < plain.length; index++)
    hash = Math.imul(hash ^ plain.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
