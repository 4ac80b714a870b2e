/** An answer's headers, their names in lower case. */
export type HeaderFields = Readonly<Record<string, string | string[] | undefined>>;

/** A header's value; the first one if it came more than once. */
export function headerOf(headers: HeaderFields, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
