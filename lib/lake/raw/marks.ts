/**
 * The first character of a string in `mended` that stands for a number which a double cannot hold. The rest of the
 * string is the number as the API wrote it. U+FDD0 is a noncharacter of Unicode, which texts do not have. A text that
 * has it all the same is written with HALF_MARK.
 */
export const NUMBER_MARK = '\uFDD0';

/** So begins a string in `mended` that stands for NaN, Infinity or -Infinity: the cell is null, `rejects` has the word. */
export const NO_NUMBER_MARK = `${NUMBER_MARK}x`;

/** Stands between a key that occurred before in the same object and its ordinal (2, 3, …) in `mended`. */
export const DUPLICATE_MARK = '\uFDD1';

/** The key of a member as the API wrote it. */
export const plainKey = (key: string): string => key.split(DUPLICATE_MARK)[0] ?? '';

/**
 * Stands in `mended`, with four hexadecimal digits behind it, for a code unit that DuckDB's text cannot hold (half a
 * surrogate pair) or that would be taken for one of the marks. The cell has U+FFFD in its place, `rejects` the original.
 */
export const HALF_MARK = '\uFDD2';

/** Half a surrogate pair (with the flag u a whole one is one character), or a mark. */
export const UNFIT = /[\uD800-\uDFFF\uFDD0-\uFDD2]/gu;

/** A text in which what no text of DuckDB holds is its escape, as `id_text` gives it: two ids stay different. */
export const escapedUnfit = (text: string): string =>
  text.replace(UNFIT, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** The member that holds the map's key in a record of a keyed map. */
export const MAP_KEY = '$key';

/** The member that holds an entry of a list of texts or numbers in its record. */
export const VALUE_NAME = 'value';

export const REPLACEMENT = '\uFFFD';

/** Replaces a secret in all that is stored or printed. */
export const SECRET_MARK = '[secret]';
