/** A text of the page in the reader's language, with values for its `{names}`. */
export type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/** English, as the texts are written. */
export const english: Translate = (text, values = {}) => filled(text, values);

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
