/** The known word that was probably meant, whatever its case; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((each) => ({ each, away: distance(word.toLowerCase(), each.toLowerCase()) }));
  const [best] = distances.sort((a, b) => a.away - b.away);
  return best !== undefined && best.away <= furthest(word, best.each) ? best.each : undefined;
}

/** One mistake in three letters of the shorter word, and two at most: `nope` is no `gone`, though only two letters differ. */
function furthest(word: string, known: string): number {
  return Math.min(2, Math.round(Math.min(word.length, known.length) / 3));
}

/** The end of a sentence about an unknown word: `did you mean players?`, or where none is near `there are players, screens.` */
export function didYouMean(
  word: string,
  { known, otherwise }: { readonly known: readonly string[]; readonly otherwise: string },
): string {
  const meant = nearest(word, known);
  return meant === undefined ? `${otherwise}.` : `did you mean ${meant}?`;
}

/** Letters to insert, remove, change, or exchange with the next one (Damerau and Levenshtein, as optimal string alignment). */
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
