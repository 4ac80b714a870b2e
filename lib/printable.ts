/**
 * Control characters (C0 but tab and line feed, DEL, C1), marks of direction and other invisible ones, separators of
 * lines that are none, and halves of surrogate pairs.
 */
const STEERING = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A text as a terminal or a page may show it: what could steer it, or turn it around, stands there as `\u001b`. Names and
 * values come from a foreign server.
 */
export function printable(text: string): string {
  return text.replace(STEERING, escaped);
}

/** The same in a cell of one line: tab and line feed are escaped too. */
export function printableCell(text: string): string {
  return printable(text).replace(/[\t\n]/g, escaped);
}

/** JSON of a value in one line. Escapes in strings are JSON's own, so whoever parses it gets the exact value. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** In code units, as JSON has it. */
function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
