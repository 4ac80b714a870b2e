/** A sentence for several languages: an English text with `{names}`, and a value for each. */
export interface Sentence {
  readonly text: string;
  readonly values?: Readonly<Record<string, string | number | Sentence>>;
  /** The repair, for the person who maintains the config. */
  readonly cure?: Sentence;
}

/** The sentence and its cure in English, or with each text from `translate`, and each value from `show`. */
export function told(
  { text, values = {}, cure }: Sentence,
  translate: (text: string) => string = (same) => same,
  show: (value: string | number) => string = String,
): string {
  const said = translate(text).replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === 'object' ? told(value, translate, show) : show(value ?? place);
  });
  return cure === undefined ? said : `${said} ${told(cure, translate, show)}`;
}
