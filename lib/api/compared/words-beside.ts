import { type AnswerBeside, isIgnored, type Said } from '../beside/beside.ts';
import { isVendorHeader } from '../beside/idle-words.ts';
import { roleOfSaid } from '../beside/role-of-said.ts';
import { kindOfValue, wholeNumberOf } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import { wordOf, wordOfPages } from './word-of.ts';

/** What an answer says beside its records, by which it is compared with earlier ones: see `wordOf`. */
export function wordsBeside({ headers, beside, ignore }: AnswerBeside): readonly string[] {
  return [...beside, ...vendorHeaders(headers)].flatMap((said) => wordBeside(said, ignore));
}

/** What says nothing of pages may say what the call was allowed: `x-oauth-scopes`. A number there says how the server is. */
function vendorHeaders(headers: HeaderFields): readonly Said[] {
  return Object.keys(headers).flatMap((name) => {
    const value = headerOf(headers, name);
    if (value === undefined || !isVendorHeader(name) || wholeNumberOf(value) !== undefined) return [];
    return [{ path: [name], isHeader: true, value, isAside: true }];
  });
}

/** The word of a member that speaks of no page, and the flag of one that is known to be idle: `flagOf` has the others. */
function wordBeside(said: Said, ignore: readonly string[]): readonly string[] {
  const isAnswered = isIgnored(said, ignore);
  const words = wordOf(said, isAnswered);
  if (words.length === 0) return words;
  const role = roleOfSaid(said, wordsOf(said.path.at(-1) ?? ''));
  if (role === 'limit' || role === 'pageSize') return words;
  if (role === 'pages' && !isAnswered) return [wordOfPages(said)];
  const isIdle = role === 'idle' && !isAnswered;
  return isIdle || (kindOfValue(said.value) !== 'flag' && (role === undefined || role === 'idle'))
    ? words
    : [];
}
