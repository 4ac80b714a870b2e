import { createHash } from 'node:crypto';
import type { Trait } from '../../schema/columns/sampled.ts';

/** A value as it came. */
export interface Said {
  /** `number`, `text`, `boolean`, `list` or `object`; null without a value. */
  readonly kind: string | null;
  readonly text: string;
  /** Seconds since 1970 of a text that is a time. A text without a zone counts as UTC. */
  readonly moment: number | null;
}

/** With more different words, a column does not hold a set of words. */
const MOST_WORDS = 8;
const LONGEST_WORD = 24;
const LONGEST_FORM = 40;

/** What a column's values were like, in the order of the values. */
export function traitsOf(values: readonly Said[]): readonly Trait[] {
  const texts = values.filter(({ kind, moment }) => kind === 'text' && moment === null);
  const words = new Set(texts.map(({ text }) => text));
  const areWords =
    words.size <= MOST_WORDS &&
    3 * words.size <= 2 * texts.length &&
    [...words].every((word) => word.length <= LONGEST_WORD && !/\d/.test(word));
  return values.map(({ kind, text, moment }): Trait => {
    if (kind === null) return null;
    if (kind === 'boolean') return text === 'true';
    if (kind === 'number') return Number(text);
    if (kind === 'list') return '[';
    if (kind === 'object') return '{';
    if (moment !== null) return `@${moment}|${formOf(text)}`;
    return areWords ? `=${text}` : `#${hash(folded(text))}${hash(text)}|${formOf(text)}`;
  });
}

/** How a text is written, without its meaning: each digit is 9, each letter x. */
const formOf = (text: string) => text.slice(0, LONGEST_FORM).replace(/\p{L}/gu, 'x').replace(/\p{N}/gu, '9');

const folded = (text: string) => text.toLowerCase();
const hash = (text: string) => createHash('md5').update(text).digest('hex').slice(0, 4);

export type KindOfValue = 'numbers' | 'text' | 'true or false' | 'lists' | 'objects';

export function traitKind(trait: NonNullable<Trait>): KindOfValue {
  if (typeof trait === 'number') return 'numbers';
  if (typeof trait === 'boolean') return 'true or false';
  return trait === '[' ? 'lists' : trait === '{' ? 'objects' : 'text';
}

/** The seconds since 1970 of a time, as text or as a count. */
export function momentOf(trait: Trait): number | undefined {
  if (typeof trait === 'string') return trait.startsWith('@') ? Number.parseFloat(trait.slice(1)) : undefined;
  if (typeof trait !== 'number') return undefined;
  // Between the years 2000 and 2100.
  return [1, 1000]
    .map((each) => trait / each)
    .find((seconds) => seconds > 946_684_800 && seconds < 4_102_444_800);
}

export function wordOf(trait: Trait): string | undefined {
  return typeof trait === 'string' && trait.startsWith('=') ? trait.slice(1) : undefined;
}

/** How a text is written; undefined for a value that is not a text. */
export function formIn(trait: Trait): string | undefined {
  if (typeof trait !== 'string' || trait === '[' || trait === '{') return undefined;
  return trait.startsWith('=') ? formOf(trait.slice(1)) : trait.slice(trait.indexOf('|') + 1);
}

/** The form without the lengths of words and numbers, a time's fraction, and whether its zone is a letter. */
export function looseForm(form: string): string {
  const loose = form.replace(/x+/g, 'x').replace(/9+/g, '9');
  const iso = /^(9-9-9[x ]9:9(?::9)?)(?:[.,]9)?(x|[-+]9(?::9)?)?$/.exec(loose);
  return iso === null ? loose : `${iso[1]}${iso[2] === undefined ? '' : 'x'}`;
}

/** `4.8.1`, `5.0.0-beta1`, `v1.2`. */
export const isVersion = (trait: Trait) => /^x?9+\.9[-+. x9]*$/.test(formIn(trait) ?? '');

/** The part of a text's trait that upper and lower case share, if few records share the text. */
export const foldedHash = (trait: Trait): string | undefined =>
  typeof trait === 'string' && trait.startsWith('#') ? trait.slice(1, 5) : undefined;

/** True if two texts that few records share differ in upper and lower case alone. */
export const areDifferentlyCased = (a: Trait, b: Trait): boolean =>
  a !== b && foldedHash(a) !== undefined && foldedHash(a) === foldedHash(b);
