import { mayBeData } from '../plain-key.ts';
import { formsOf } from './secret-forms.ts';
import { type Span, unescaped } from './unescaped.ts';

/** The place of a secret: the bytes [at, end). */
export interface SecretHit {
  readonly at: number;
  readonly end: number;
}

/** Finds secrets in bytes, in all their spellings. */
export interface SecretFinder {
  /** Bytes of the longest spelling of any secret; 0 without a secret. */
  readonly longest: number;
  /** True where a secret is so short and plain that it may stand in data without being meant. */
  readonly mayBeData: boolean;
  /** True where a secret may be a part of a number. */
  readonly mayBeNumber: boolean;
  /** The secrets in the bytes, in order; none begins before the one before it ends. */
  readonly hits: (bytes: Buffer) => Iterable<SecretHit>;
  /** True if a text in Latin-1, such as a header, holds a secret. */
  readonly isIn: (text: string) => boolean;
}

/**
 * Bytes of the longest way to write one character that is found wherever a stream cuts it: `&amp;amp;#x00002B;`, with a blank of
 * no width or three behind it.
 */
const LONGEST_SPELLING = 32;

/** So often an escape may be escaped: JSON in JSON doubles a backslash, so there may be 128 of them. */
const MOST_LAYERS = 8;

const NONE: readonly Span[] = [];
const NONE_HIT: readonly SecretHit[] = [];

const NO_SECRETS: SecretFinder = {
  longest: 0,
  mayBeData: false,
  mayBeNumber: false,
  hits: () => [],
  isIn: () => false,
};

/** Characters that are searched for at once. Only where they stand, the rest of a form is compared. */
const BEGINNING = 8;

/**
 * Finds secrets by one rule: the text is unescaped again and again, until it stays as it is, and in each text that comes of it
 * the forms of `formsOf` are looked for, in any case. It takes a time that grows as the text does.
 */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = [...new Set(secrets.flatMap(formsOf).flatMap(layersOf))];
  if (forms.length === 0) return NO_SECRETS;
  // The longest first: of two that begin alike the other one is a part of it.
  forms.sort((a, b) => b.length - a.length);
  const beginnings = new RegExp(
    [...new Set(forms.map((form) => literal(form.slice(0, BEGINNING))))].join('|'),
    'g',
  );
  const byBeginning = Map.groupBy(forms, (form) => form.slice(0, BEGINNING));

  function spansIn(text: string): readonly Span[] {
    const folded = text.toLowerCase();
    beginnings.lastIndex = 0;
    let found = beginnings.exec(folded);
    if (found === null) return NONE;
    const spans: Span[] = [];
    for (; found !== null; found = beginnings.exec(folded)) {
      const { index, 0: beginning } = found;
      const form = byBeginning.get(beginning)?.find((each) => folded.startsWith(each, index));
      const to = form === undefined ? index + 1 : index + form.length;
      if (form !== undefined) spans.push({ from: index, to });
      beginnings.lastIndex = to;
    }
    return spans;
  }

  /** Of each layer, the places in the text as it came. */
  function spansInLayers(text: string): readonly Span[] {
    const outermost = spansIn(text);
    let layer = unescaped(text);
    if (layer === undefined) return outermost;
    const spans = [...outermost];
    let isAt = (place: number): Span => ({ from: place, to: place + 1 });
    for (let depth = 1; layer !== undefined && depth <= MOST_LAYERS; depth += 1) {
      const { spanAt, text: inner } = layer;
      const outer = isAt;
      isAt = (place) => {
        const { from, to } = spanAt(place);
        return { from: outer(from).from, to: outer(to - 1).to };
      };
      for (const { from, to } of spansIn(inner)) spans.push({ from: isAt(from).from, to: isAt(to - 1).to });
      layer = unescaped(inner);
    }
    return spans;
  }

  return {
    mayBeData: secrets.some(mayBeData),
    mayBeNumber: forms.some((form) => /^[\d.e+\-, ]+$/.test(form)),
    longest: Math.max(...forms.map((form) => form.length)) * LONGEST_SPELLING,
    hits: (bytes) => {
      const spans = spansInLayers(bytes.toString('latin1'));
      return spans.length === 0 ? NONE_HIT : joined([...spans]);
    },
    isIn: (text) => spansInLayers(text).length > 0,
  };
}

/** The form as it is and as each unescaping leaves it, for a key may itself look like an escape. In lower case. */
function layersOf(form: string): readonly string[] {
  // Of many backslashes in a row nobody can tell which one is the form's own.
  const layers: string[] = form.includes('\\') ? [form.toLowerCase().replaceAll('\\', '')] : [];
  for (let text: string | undefined = form; text !== undefined; text = unescaped(text)?.text) {
    layers.push(text.toLowerCase());
    if (layers.length > MOST_LAYERS) break;
  }
  // What is left of one that is made of escapes may be in every text.
  return layers.filter((layer) => layer.length >= BEGINNING);
}

/** The spans in order, and those that overlap as one. */
function joined(spans: Span[]): readonly SecretHit[] {
  spans.sort((a, b) => a.from - b.from || a.to - b.to);
  const hits: { at: number; end: number }[] = [];
  for (const { from, to } of spans) {
    const last = hits.at(-1);
    if (last !== undefined && from < last.end) last.end = Math.max(last.end, to);
    else hits.push({ at: from, end: to });
  }
  return hits;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
