import type { Fact } from './facts.ts';
import { switchOf } from './value-kind.ts';
import { CUT, NUMBER, OFFSET, PAGE, SIZE, TOTAL } from './vocabulary.ts';
import { wordsOf } from './words.ts';

const OF_PAGING = [PAGE, OFFSET, SIZE, TOTAL, NUMBER, CUT];

/** Whether an unknown fact would lead to more records if it means what it may mean. A number is looked at again when all are counted. */
export function mayLead({ path, kind, value }: Fact, target: string): boolean {
  const words = wordsOf(path.at(-1) ?? '');
  if (kind === 'address') return String(value).includes('?') && !isSelf(String(value), target);
  const isTotal = words.some((word) => TOTAL.has(word));
  // `total: "40+"` is at least so many.
  if (kind === 'token')
    return isTotal ? /\d/.test(String(value)) : mayBeToken(String(value)) && !isEcho(String(value), target);
  if (kind === 'number') return words.some((word) => OF_PAGING.some((some) => some.has(word)));
  return kind === 'flag' && switchOf(value) === true && words.some((word) => PAGE.has(word) || CUT.has(word));
}

/** A cursor has figures, or letters of both cases at random; `in_progress`, `OK` and `readOnly` are words. */
function mayBeToken(text: string): boolean {
  const isWord =
    /^(\p{Lu}?\p{Ll}{2,}(\p{Lu}\p{Ll}{2,}){0,3}|\p{Lu}{1,20})([ ,;:./_-]{1,2}\p{L}{2,20}){0,5}$/u.test(text);
  // An address of mail is none either.
  return text.length >= 6 && !isWord && !text.includes('@');
}

function isSelf(value: string, target: string): boolean {
  const here = new URL(target, 'http://localhost');
  const there = URL.parse(value, here.href);
  return there?.pathname === here.pathname && (there.search === '' || there.search === here.search);
}

function isEcho(value: string, target: string): boolean {
  return decodeURIComponent(target)
    .split(/[/?&=]/)
    .includes(value);
}
