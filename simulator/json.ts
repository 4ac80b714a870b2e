export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A record or body as it goes over the wire; keys in the order in which they are served. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The object without its undefined values: the API omits attributes that have no value. */
export function omitUndefined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept: Record<string, Json> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
