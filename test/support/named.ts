/** Each with its key as its name, in the order that they are written in. */
export const named = <T>(all: Readonly<Record<string, T>>): readonly (T & { readonly name: string })[] =>
  Object.entries(all).map(([name, each]) => ({ ...each, name }));
