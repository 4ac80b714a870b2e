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
  /** The length in bytes of the longest spelling of any secret; 0 without a secret. */
  readonly longest: number;
  /** True where a secret is so short and plain that data may contain it by chance. */
  readonly mayBeData: boolean;
  /** True where a secret may be a part of a number. */
  readonly mayBeNumber: boolean;
  /** The secrets in the bytes, in order and without overlap. */
  readonly hits: (bytes: Buffer) => Iterable<SecretHit>;
  /** True if a text in Latin-1, such as a header, has a secret. */
  readonly isIn: (text: string) => boolean;
}

/**
 * Bytes of the longest spelling of one character that is found across a cut: `&amp;amp;#x00002B;`, with a
 * blank of no width or three after it.
 */
const LONGEST_SPELLING = 32;

/** How often an escape may be escaped: JSON in JSON doubles a backslash, so there may be 128 of them. */
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

/** Characters that one search finds together. Only there it compares the rest of a form. */
const BEGINNING = 8;

/**
 * Finds secrets by one rule. It unescapes the text again and again until nothing changes. In each such text
 * it looks for the forms of `formsOf`, in any case. The time is linear in the text.
 */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = [...new Set(secrets.flatMap(formsOf).flatMap(layersOf))];
  if (forms.length === 0) return NO_SECRETS;
  // The longest first: a shorter form may be the beginning of a longer one.
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

  /** The places of hits in each layer, as places in the original text. */
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

/** The form and each unescaping of it, because a key may itself look like an escape. In lower case. */
function layersOf(form: string): readonly string[] {
  // In a row of backslashes nobody knows which one belongs to the form.
  const layers: string[] = form.includes('\\') ? [form.toLowerCase().replaceAll('\\', '')] : [];
  for (let text: string | undefined = form; text !== undefined; text = unescaped(text)?.text) {
    layers.push(text.toLowerCase());
    if (layers.length > MOST_LAYERS) break;
  }
  // The rest of a form that consists of escapes may be in every text.
  return layers.filter((layer) => layer.length >= BEGINNING);
}

/** The spans in order; overlapping ones are joined. */
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
