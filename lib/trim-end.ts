/** The text without the characters of that kind at its end, in one pass: `/0+$/` takes the square of a long text's time. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
