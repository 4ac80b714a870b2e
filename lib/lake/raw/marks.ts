/**
 * Begins a string in `mended` that is a number beyond a double's precision, as the API wrote it. U+FDD0 is a
 * noncharacter of Unicode, which texts do not have. HALF_MARK escapes it in a text that has it.
 */
export const NUMBER_MARK = '\uFDD0';

/** Begins a string in `mended` for NaN, Infinity or -Infinity: the cell is null, `rejects` has the word. */
export const NO_NUMBER_MARK = `${NUMBER_MARK}x`;

/** Comes between a repeated key of an object and its ordinal (2, 3, …) in `mended`. */
export const DUPLICATE_MARK = '\uFDD1';

/** The key of a member as the API wrote it. */
export const plainKey = (key: string): string => key.split(DUPLICATE_MARK)[0] ?? '';

/** The keys to a value, as a person reads them: `Contact.Phone`. */
export const plainPath = (path: readonly string[]): string => path.map(plainKey).join('.');

/**
 * Comes before four hexadecimal digits in `mended`. They are a code unit that DuckDB's text cannot hold (half
 * a surrogate pair), or one of the marks. The cell has U+FFFD instead, `rejects` the original.
 */
export const HALF_MARK = '\uFDD2';

/** Half a surrogate pair (with the flag u a whole one is one character), or a mark. */
export const UNFIT = /[\uD800-\uDFFF\uFDD0-\uFDD2]/gu;

/** A text with escapes for what DuckDB cannot hold, as in `id_text`: two ids stay different. */
export const escapedUnfit = (text: string): string =>
  text.replace(UNFIT, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** The member with the map's key, in a record of a keyed map. */
export const MAP_KEY = '$key';

/** The member with an entry of a list of texts or numbers, in its record. */
export const VALUE_NAME = 'value';

export const REPLACEMENT = '\uFFFD';

/** Replaces a secret in all that is stored or printed. */
export const SECRET_MARK = '[secret]';
