/** Each with its key as its name, in the order that they are written in. */
export const named = <T, Name extends string = string>(all: Readonly<Record<Name, T>>) =>
  Object.entries<T>(all).map(([name, each]) => ({ ...each, name: name as Name }));
