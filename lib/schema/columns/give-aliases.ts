import type { NamedPath } from './assign-names.ts';

/** A path with its column, and its name without `as` if that is different. */
export interface AliasedPath extends NamedPath {
  readonly plainName?: string;
}

/**
 * The names, with those that the config sets by `as`. A source's path that already has such a name gets
 * another: with `power` as `is_on`, the API's own `is_on` becomes `is_on_2`. One that this run does not show keeps
 * the name: the other path goes on with its column.
 */
export function giveAliases(
  names: readonly NamedPath[],
  aliasOf: (source: string, plainName: string) => string | undefined,
  isShown: (path: NamedPath) => boolean,
): readonly AliasedPath[] {
  const taken = new Set(names.map(({ column }) => column));
  const given = new Map<string, Set<string>>();
  for (const { source, column } of names) {
    const alias = aliasOf(source, column);
    if (alias === undefined) continue;
    taken.add(alias);
    given.set(source, (given.get(source) ?? new Set()).add(alias));
  }
  const free = (name: string): string => {
    let number = 2;
    while (taken.has(`${name}_${number}`)) number++;
    return `${name}_${number}`;
  };
  return names.map((each) => {
    const { source, column: plainName } = each;
    const alias =
      aliasOf(source, plainName) ??
      (given.get(source)?.has(plainName) === true && isShown(each) ? free(plainName) : plainName);
    return alias === plainName ? each : { ...each, column: alias, plainName };
  });
}
