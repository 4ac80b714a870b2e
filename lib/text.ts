/** A number with what it counts: `1 player`, `2 players`, `0 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The words in a sentence: `a`, `a and b`, `a, b and c`. */
export function allOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * A share as every place shows it: so many digits of its percentage, rounded down. An incomplete share never
 * shows as 100 %. The tiny addend makes up for what a double lacks: 0.29 × 1000 is 289.99….
 */
export function flooredShare(share: number, digits = 1): number {
  const parts = 100 * 10 ** digits;
  return Math.floor(share * parts + 1e-9) / parts;
}

/** The same rounded up, as the upper end of a band: an error never shows as less than it is. */
export function ceiledShare(share: number, digits = 1): number {
  return roundedUp(share, 100 * 10 ** digits);
}

/** The next whole part of that many in one. `|| 0` makes 0 of -0, which shows its sign. */
export function roundedUp(value: number, parts = 1): number {
  return (Math.ceil(value * parts - 1e-9) || 0) / parts;
}

/** The text without this character at its end, in one pass: `/0+$/` takes quadratic time for a long text. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/**
 * Control characters (C0 but tab and line feed, DEL, C1) and invisible ones, such as marks of direction. Also
 * unusual line separators, and halves of surrogate pairs.
 */
const STEERING = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A text that is safe to show on a terminal or a page. A character that could control it or reverse text
 * becomes `\u001b`. Names and values come from a foreign server.
 */
export function printable(text: string): string {
  return text.replace(STEERING, escaped);
}

/** The same for a cell of one line: tab and line feed are escaped too. */
export function printableCell(text: string): string {
  return printable(text).replace(/[\t\n]/g, escaped);
}

/** JSON of a value in one line. Escapes in strings are JSON's own, so a parser gets the exact value. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** In code units, as JSON has it. */
function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The known word that was probably meant, in any case; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((each) => ({ each, away: distance(word.toLowerCase(), each.toLowerCase()) }));
  const [best] = distances.sort((a, b) => a.away - b.away);
  return best !== undefined && best.away <= furthest(word, best.each) ? best.each : undefined;
}

/** One mistake in three letters of the shorter word, at most two: `nope` with two is not `gone`. */
function furthest(word: string, known: string): number {
  return Math.min(2, Math.round(Math.min(word.length, known.length) / 3));
}

/** The end of a sentence about an unknown word: `did you mean players?`, or `there are players, screens.` */
export function didYouMean(
  word: string,
  { known, otherwise }: { readonly known: readonly string[]; readonly otherwise: string },
): string {
  const meant = nearest(word, known);
  return meant === undefined ? `${otherwise}.` : `did you mean ${meant}?`;
}

/** Letters to insert, remove, change or exchange (Damerau and Levenshtein, as optimal string alignment). */
function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (before[j - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
