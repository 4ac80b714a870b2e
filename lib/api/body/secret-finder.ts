import { formsOf, type SecretForm } from './secret-forms.ts';
import type { Spelled } from './spellings.ts';

/** Where a secret stands in bytes: from `at` to before `end`. */
export interface SecretHit {
  readonly at: number;
  readonly end: number;
}

/** Finds secrets in bytes, however they are spelled. */
export interface SecretFinder {
  /** Bytes of the longest spelling of any of the secrets; 0 where there is no secret. */
  readonly longest: number;
  /** The first secret that begins at `from` or behind it; undefined where there is none. */
  readonly next: (bytes: Buffer, from: number) => SecretHit | undefined;
  /** Whether a text without characters beyond Latin-1, such as a header, holds a secret. */
  readonly isIn: (text: string) => boolean;
}

/** Bytes of the longest way to write one character: `\\\\u0026#x00002B;`. */
const LONGEST_SPELLING = 20;

/** Characters that are searched for at once. Only where they stand, the rest of a form is compared. */
const BEGINNING = 8;

/** Finds the secrets in the forms and spellings that `formsOf` and `spelled` name. */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = secrets.flatMap(formsOf);
  if (forms.length === 0) return { longest: 0, next: () => undefined, isIn: () => false };
  const beginnings = new RegExp(
    forms.map((form) => form.slice(0, BEGINNING).map(anyOf).join('')).join('|'),
    'g',
  );
  /** One character a byte, so that places in the text are places in the bytes. */
  const first = (text: string): SecretHit | undefined => {
    beginnings.lastIndex = 0;
    for (let hit = beginnings.exec(text); hit !== null; hit = beginnings.exec(text)) {
      const at = hit.index;
      const ends = forms.flatMap((form) => endsOf(form, text, at));
      if (ends.length > 0) return { at, end: Math.max(...ends) };
      beginnings.lastIndex = at + 1;
    }
    return undefined;
  };
  return {
    longest: Math.max(...forms.map((form) => form.length)) * LONGEST_SPELLING,
    next: (bytes, from) => {
      const hit = first(bytes.toString('latin1', from));
      return hit && { at: from + hit.at, end: from + hit.end };
    },
    isIn: (text) => first(text) !== undefined,
  };
}

function anyOf(spellings: Spelled): string {
  return `(?:${spellings.join('|')})`;
}

/** Where a form that begins at `at` may end; nothing where it does not stand there. All ways to read it are followed. */
function endsOf(form: SecretForm, text: string, at: number): readonly number[] {
  let places: readonly number[] = [at];
  for (const spellings of form) {
    const next = new Set<number>();
    for (const place of places) {
      for (const spelling of spellings) {
        const end = matchAt(spelling, text, place);
        if (end !== undefined) next.add(end);
      }
    }
    places = [...next];
  }
  return places;
}

/** Made when first wanted: nearly no answer has a secret in it. */
const compiled = new Map<string, RegExp>();

function matchAt(source: string, text: string, place: number): number | undefined {
  const pattern = compiled.get(source) ?? new RegExp(source, 'y');
  compiled.set(source, pattern);
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
