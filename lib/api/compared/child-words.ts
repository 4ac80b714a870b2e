import { isIgnored, type Said } from '../beside/beside.ts';
import { isIdleAlways } from '../beside/idle-words.ts';
import { isOfPages, type Role } from '../beside/page-roles.ts';
import { roleOfSaid } from '../beside/role-of-said.ts';
import { kindOfValue } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';
import { wordOf, wordOfForm, wordOfKind } from './word-of.ts';

/**
 * What the answer to one parent says beside its records, by which it is compared with those to all parents of earlier runs: see
 * `wordOf`. How the place of its records is built is one of the words. Of a total, and of what is null, only this is compared.
 * Sentences, lists and what speaks of pages differ as records do.
 */
export function childWords(
  beside: readonly Said[],
  { form, ignore }: { readonly form: string; readonly ignore: readonly string[] },
): readonly string[] {
  return [wordOfForm(form), ...beside.flatMap((said) => wordOfChild(said, ignore))];
}

function wordOfChild(said: Said, ignore: readonly string[]): readonly string[] {
  const own = wordsOf(said.path.at(-1) ?? '');
  const isNull = said.value === null || said.value === '';
  if (said.isAside || isIdleAlways(own) || own.includes('empty') || isAnyText(said.value)) return [];
  const isAnswered = isIgnored(said, ignore);
  // Null has no role by itself: it stands where a number does in other answers.
  const role = roleOfSaid(isNull ? { ...said, value: 1 } : said, own);
  if (isNull && (isAnswered || role === 'total' || !isOfPaging(role, own)))
    return [wordOfKind(said, { isIgnored: isAnswered, kind: 'nothing' })];
  if (role === 'total') return [wordOfKind(said, { isIgnored: isAnswered, kind: 'count' })];
  return isAnswered || !isOfPaging(role, own) ? wordOf(said, isAnswered) : [];
}

/** A list, an empty object or a sentence; a time may have words beside its figures. */
function isAnyText(value: unknown): boolean {
  if (typeof value === 'object') return value !== null;
  return kindOfValue(value) === 'text' && Number.isNaN(Date.parse(String(value)));
}

function isOfPaging(role: Role | undefined, own: readonly string[]): boolean {
  return isOfPages(own) || (role !== undefined && role !== 'idle');
}
