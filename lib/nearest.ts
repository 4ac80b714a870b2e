/** The known word that was probably meant: at most two letters away, whatever their case; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((each) => ({ each, away: distance(word.toLowerCase(), each.toLowerCase()) }));
  const [best] = distances.sort((a, b) => a.away - b.away);
  return best !== undefined && best.away <= Math.min(2, word.length - 1) ? best.each : undefined;
}

/** The end of a sentence about an unknown word: `did you mean players?`, or where none is near `there are players, screens.` */
export function didYouMean(
  word: string,
  { known, otherwise }: { readonly known: readonly string[]; readonly otherwise: string },
): string {
  const meant = nearest(word, known);
  return meant === undefined ? `${otherwise}.` : `did you mean ${meant}?`;
}

/** Letters to insert, remove or change (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
