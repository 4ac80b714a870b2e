import { formsOf } from './secret-forms.ts';
import type { Spelled } from './spellings.ts';

/** The place of a secret: the bytes [at, end). */
export interface SecretHit {
  readonly at: number;
  readonly end: number;
}

/** Finds secrets in bytes, in all their spellings. */
export interface SecretFinder {
  /** Bytes of the longest spelling of any secret; 0 without a secret. */
  readonly longest: number;
  /** The secrets in the bytes, in order; none begins before the one before it ends. */
  readonly hits: (bytes: Buffer) => Iterable<SecretHit>;
  /** True if a text in Latin-1, such as a header, holds a secret. */
  readonly isIn: (text: string) => boolean;
  /** Finds the same in what has lost its case, such as the name of a header. */
  readonly inLowerCase: () => SecretFinder;
}

/** Bytes of the longest way to write one character: `\\\\u0026amp;amp;#x00002B;`. */
const LONGEST_SPELLING = 28;

/** Characters that are searched for at once. Only where they stand, the rest of a form is compared. */
const BEGINNING = 8;

/** Finds the secrets in the forms and spellings that `formsOf` and `spelled` name. */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = secrets.flatMap(formsOf);
  let lower: SecretFinder | undefined;
  const inLowerCase = () => {
    lower ??= createSecretFinder(secrets.map((secret) => secret.toLowerCase()));
    return lower;
  };
  if (forms.length === 0) return { longest: 0, hits: () => [], isIn: () => false, inLowerCase };
  const beginnings = new RegExp(
    forms.map((form) => form.slice(0, BEGINNING).map(anyOf).join('')).join('|'),
    'g',
  );
  const readers = forms.map((form) => form.map(readerOf));
  /** One character a byte, so that places in the text are places in the bytes. */
  function* hitsIn(text: string): Generator<SecretHit> {
    let from = 0;
    for (;;) {
      beginnings.lastIndex = from;
      const at = beginnings.exec(text)?.index;
      if (at === undefined) return;
      const end = Math.max(...readers.map((form) => endOf(form, text, at)));
      if (end > at) yield { at, end };
      from = Math.max(end, at + 1);
    }
  }
  return {
    longest: Math.max(...forms.map((form) => form.length)) * LONGEST_SPELLING,
    hits: (bytes) => hitsIn(bytes.toString('latin1')),
    isIn: (text) => hitsIn(text).next().done === false,
    inLowerCase,
  };
}

function anyOf(spellings: Spelled): string {
  return `(?:${spellings.join('|')})`;
}

/** How one character of a form is read. */
interface Reader {
  /** As it is: the character, in one case or both. */
  readonly plain: string;
  readonly escapes: readonly RegExp[];
}

/** With what every escape begins. */
const ESCAPES = '\\%&';

function readerOf(spellings: Spelled): Reader {
  const isPlain = (source: string) => /^\\?[^\\]$/.test(source);
  return {
    plain: spellings
      .flatMap((source) => (isPlain(source) ? source.slice(-1) : source === '\\\\' ? '\\' : []))
      .join(''),
    escapes: spellings
      .filter((source) => !isPlain(source) && source !== '\\\\')
      .map((source) => new RegExp(source, 'y')),
  };
}

/** The furthest place where a form that begins at `at` may end; -1 where it does not stand there. All ways to read it are followed. */
function endOf(form: readonly Reader[], text: string, at: number): number {
  let places: readonly number[] = [at];
  for (const reader of form) {
    const [place] = places;
    if (place === undefined) return -1;
    // Nearly all characters can be read in one way.
    places =
      places.length === 1
        ? next(reader, text, place)
        : [...new Set(places.flatMap((each) => next(reader, text, each)))];
  }
  return Math.max(-1, ...places);
}

/** Behind the character that may stand at `at`, in each way to read it. */
function next({ plain, escapes }: Reader, text: string, at: number): readonly number[] {
  const character = text.charAt(at);
  if (character === '') return [];
  const asItIs = plain.includes(character) ? [at + 1] : [];
  if (!ESCAPES.includes(character)) return asItIs;
  return [
    ...asItIs,
    ...escapes.flatMap((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(text) ? [pattern.lastIndex] : [];
    }),
  ];
}
