/** The words as a sentence has them: `a`, `a and b`, `a, b and c`. */
export function allOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
